import { readArguments } from '../app/commands/readArguments.ts';

const { positionals, values } = readArguments({
  command: 'npm run release',
  about: `Stores the committed contract in schema/releases, with its changes since the previous release, and prints the notes of
the release as Markdown. See docs/how-to/releases.md.`,
  positionals: ['<name>'],
  options: {
    ref: {
      type: 'string',
      about: 'git ref whose contract is stored; default: the files of the working tree',
    },
  },
});
const { keepRelease } = await import('../schema/releases/keepRelease.ts');
try {
  const [name = ''] = positionals;
  const { file, notes } = keepRelease(name, values.ref);
  console.error(`stored ${file}; commit it with the changelog that npm run generate writes`);
  console.log(notes);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
