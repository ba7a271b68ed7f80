import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';
import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm start',
  about: `Starts everything on one port: database, all subgraphs, router, facade, and the demonstration's data on a first start.
Settings are environment variables; docs/reference/configuration.md lists them.`,
});
// Compiled code is cached between starts, so types are stripped and scripts compiled only once.
enableCompileCache();
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startProduct } = await import('../app/lifecycle/startProduct.ts');
await runProcess(startProduct);
