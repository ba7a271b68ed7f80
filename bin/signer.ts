import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';
import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm run start:signer',
  about: `Starts the signer, which another engine asks in the place of the subgraphs: it signs requests and forwards them.
Settings are environment variables; docs/reference/configuration.md lists them.`,
});
// Compiled code is cached between starts, so types are stripped and scripts compiled only once.
enableCompileCache();
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startSigner } = await import('../app/lifecycle/startSigner.ts');
await runProcess(startSigner);
