// Changes notes as a user to whom not all of them belong. Everything is loaded before the process becomes that user: it may
// not be let into the folder where this lies.
import { openNote } from '../../src/toolsets/graph/files.js'
import { createFile, replaceFile } from '../../src/toolsets/graph/write-files.js'

const [root, user, group] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
process.setgroups!([group])
process.setgid!(user)
process.setuid!(user)
for (const path of process.argv.slice(5))
  try {
    const { hash: before, rights } = openNote(root, path)!
    await replaceFile(root, { path, before, bytes: Buffer.from('new\n'), rights })
    await createFile(root, `moved-${path}`, Buffer.from('moved\n'), { rights })
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`)
  }
