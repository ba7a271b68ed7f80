import { readArguments } from '../app/commands/readArguments.ts';
import { keepRelease } from '../schema/releases/keepRelease.ts';

const { positionals, values } = readArguments({
  command: 'npm run release',
  about: 'Stores the committed contract as a release, which the changelog compares later changes with.',
  positionals: ['<name>'],
  options: {
    ref: {
      type: 'string',
      about: 'git ref whose contract is stored; default: the files of the working tree',
    },
  },
});
try {
  const [name = ''] = positionals;
  console.log(`kept ${keepRelease(name, values.ref)}; npm run generate writes the changelog`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
