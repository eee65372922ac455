import { NODE_ENGINES } from './index-contestants.ts'
import { readDocuments } from './index-documents.ts'
import { rmSync, mkdirSync } from 'node:fs'
rmSync('/tmp/spd/ix',{recursive:true,force:true}); mkdirSync('/tmp/spd/ix')
const a=process.cpuUsage(), b=process.threadCpuUsage()
await NODE_ENGINES[process.argv[3]!]!.build(readDocuments('/tmp/spd/'+process.argv[2]), '/tmp/spd/ix', {detail:'positional', memoryMb:64}, ()=>{})
const c=process.cpuUsage(a), d=process.threadCpuUsage(b)
console.log(process.argv[3], 'all', ((c.user+c.system)/1e3).toFixed(0), 'main', ((d.user+d.system)/1e3).toFixed(0))
