/** Capture advice: why nobody listens on a line here, and what to do about it on this system. Pure. */

/** The program that hears packets is not there. */
export function noProgram(command: string, platform: NodeJS.Platform): string {
  const pipe = 'or pipe a capture into --pcap -'
  if (platform === 'win32')
    return (
      `${command} is not for Windows: hear the line with dumpcap, which comes with Wireshark, and hand it on by a pipe: ` +
      'dumpcap -i 1 -P -w - | comity gateway --pcap -'
    )
  if (platform === 'darwin')
    return `${command} was not found: macOS has it in /usr/sbin, which is to be on the PATH, ${pipe}`
  return `${command} is not installed: install it (Debian: apt-get install tcpdump), ${pipe}`
}

/** It is there, and may not. `last`: what it said. */
export function noRight(command: string, iface: string, last: string, platform: NodeJS.Platform): string {
  const remedy =
    platform === 'linux'
      ? `run as root, or once: setcap cap_net_raw,cap_net_admin+ep "$(command -v ${command})"`
      : 'run as root, or let your user read /dev/bpf*, as ChmodBPF of Wireshark does on macOS'
  return `${command} may not listen on ${iface}: ${remedy} (it said: ${last})`
}
