import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';
import { readArguments } from '../app/commands/readArguments.ts';

const { positionals } = readArguments({
  command: 'npm run start:subgraph',
  about: `Starts one subgraph of supergraph.yaml alone, for a router in another process.
Settings are environment variables; docs/reference/configuration.md lists them.`,
  positionals: ['<name>'],
});
// Compiled code is cached between starts, so types are stripped and scripts compiled only once.
enableCompileCache();
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startSubgraph } = await import('../app/lifecycle/startSubgraph.ts');
await runProcess((configuration, reporting) => startSubgraph(positionals[0] ?? '', configuration, reporting));
