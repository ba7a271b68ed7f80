import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';
import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm run start:signer',
  about: `Starts the signer, which another engine asks in the place of the subgraphs: it signs requests and forwards them.
Settings are environment variables; docs/reference/configuration.md lists them.`,
});
// Compiled code is kept between starts: types are stripped and scripts compiled once, not at every start.
enableCompileCache();
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startSigner } = await import('../app/lifecycle/startSigner.ts');
await runProcess(startSigner);
