import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';
import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm run start:router',
  about: `Starts router and facade alone; the subgraphs answer at their addresses.
Settings are environment variables; docs/reference/configuration.md lists them.`,
});
// Compiled code is cached between starts, so types are stripped and scripts compiled only once.
enableCompileCache();
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startRouter } = await import('../app/lifecycle/startRouter.ts');
await runProcess(startRouter);
