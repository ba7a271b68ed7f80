import { readArguments } from '../app/commands/readArguments.ts';

readArguments({
  command: 'npm run -s database:uri',
  about: 'Prints the MONGODB_URI of the embedded database of the process that runs on DATA_DIR.',
});
const { findRunningDatabase } = await import('../app/commands/openDeployment.ts');
const { readConfiguration } = await import('../app/configuration/readConfiguration.ts');
try {
  const { dataDir } = readConfiguration(process.env);
  const running = await findRunningDatabase(dataDir);
  if (running === null)
    throw new Error(`No process runs the embedded database of ${dataDir}. Start one with npm start.`);
  console.log(running.uri);
  await running.close();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
