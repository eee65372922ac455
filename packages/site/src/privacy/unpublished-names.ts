/**
 * Unpublished names: files that lie in document roots and that nobody means to publish, by classes of names. Whoever does mean one
 * of them gives it another name. Names that begin with a dot (`.env`, `.git`, `.htpasswd`) are hidden before anybody looks here.
 */
import { pathSpellings } from '@comity/protocol'
import type { PrivateReason } from './private-reason.ts'

/** What packs a file keeps what it is. */
const PACKED = String.raw`(?:\.(?:gz|bz2|xz|zst|lz4|br|z|zip|7z|rar|tar|tgz))*`
const ending = (names: string): RegExp => new RegExp(String.raw`\.(?:${names})${PACKED}$`, 'i')

/** A server that runs these hands out what they print; their text, with its passwords, is nobody's business. */
const PROGRAM = 'php\\d?|phtml|phps|inc|cgi|fcgi|asp|aspx|ashx|jsp|jspx|cfm|shtml|config'

const CLASSES: readonly (readonly [reason: PrivateReason, patterns: readonly RegExp[]])[] = [
  [
    'backup',
    [
      // Of editors: a.html~, a.html.~1~, #a.html#
      /~$|\/%23[^/]*%23$/,
      ending('(?:bak|backup|bkp|old|orig|save|sav|copy)\\d*|sw[m-p]|tmp|temp|part|partial|crdownload|rej|dist-save'),
      // Of somebody in a hurry: index.php.1, index.php-old, index.php_bak
      new RegExp(String.raw`\.(?:${PROGRAM})[._-](?:\d+|bak|old|orig|save|copy|txt|new|disabled)$`, 'i'),
      new RegExp(String.raw`\/(?:[^/]*[._-])?backups?(?:[._-][^/]*)?\.(?:zip|tar|tgz|gz|bz2|xz|zst|7z|rar)$`, 'i'),
    ],
  ],
  [
    'secret-file',
    [
      // Databases and what was dumped of them.
      ending(
        'p?sql|pgsql|mysql|dump|dmp|pgdump|bson|sqlite[23]?|sqlitedb|s3db|sdb|db[23]?|mdb|accdb|mdf|ldf|ibd|frm|my[di]|rdb',
      ),
      /\.(?:sqlite3?|db3?)-(?:wal|shm|journal)$/i,
      // Keys and safes of passwords. What is public of them is called .pub, .crt or .cer.
      ending('pem|key|p12|pfx|pkcs12|p8|jks|jceks|keystore|bks|ppk|ovpn|kdbx?|kwallet|agilekeychain|opvault|psafe3'),
      /\/(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_\w+_key)$/i,
      // Settings with passwords in them.
      ending('env|tfstate|tfvars|pgpass|netrc'),
      /\/(?:htpasswd|htdigest|htaccess|pgpass|netrc)$|\/(?:credentials|secrets)\.(?:json|ya?ml|toml|ini|txt|xml|properties)$/i,
      // Books of who was there.
      /\/(?:[^/]*[._-])?(?:access|error|debug)[._-]?log(?:[._-]?\d+)*(?:\.(?:gz|bz2|xz|zst))?$/i,
      // Folders of programs that keep them beside the pages.
      /\/(?:cvs|_darcs|web-inf|app_data|_vti_pvt)\//i,
    ],
  ],
  ['program', [/\/cgi-bin\//i, new RegExp(String.raw`\.(?:${PROGRAM})$`, 'i')]],
]

/** Why nobody means to publish a file of this name, in any spelling; undefined when its name says nothing against it. */
export function unpublishedName(path: string): PrivateReason | undefined {
  const spellings = pathSpellings(path).map((spelling) => spelling.split('?', 1)[0]!)
  const found = CLASSES.find(([, patterns]) => patterns.some((one) => spellings.some((spelling) => one.test(spelling))))
  return found?.[0]
}
