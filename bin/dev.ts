import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm run dev',
  about: `Starts what npm start starts, and starts it again after a change of a source. The database runs on, so data and
sign-ins are kept.
Settings are environment variables; docs/reference/configuration.md lists them.`,
});
const { runProcess } = await import('../app/lifecycle/runProcess.ts');
const { startDevelopment } = await import('../app/lifecycle/startDevelopment.ts');
await runProcess(startDevelopment);
