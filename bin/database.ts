import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';
import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm run start:database',
  about: `Starts the embedded database alone, for subgraphs and a router of other processes.
Settings are environment variables; docs/reference/configuration.md lists them.`,
});
// Compiled code is cached between starts, so types are stripped and scripts compiled only once.
enableCompileCache();
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startDatabase } = await import('../app/lifecycle/startDatabase.ts');
await runProcess(startDatabase);
