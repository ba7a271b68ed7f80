import { type Environment, readAll, text, toggle } from './Setting.ts';

/** Settings of the deployment as a whole. */
export const deploymentSettings = {
  dataDir: text('DATA_DIR', {
    fallback: '.data',
    meaning:
      'Folder of the embedded database, of files on disk, of emails if `SMTP_URL` is not set, and of the root secret of the demonstration.',
    allowed: 'a folder that the process may write to',
  }),
  demonstration: toggle('DEMO', {
    fallback: true,
    meaning: '`on`: the first start creates the demonstration. With `off`, a root secret is required.',
  }),
  demonstrationSamples: toggle('DEMO_SAMPLES', {
    fallback: true,
    meaning:
      '`on`: after the first start, pictures and sample activity are added to the demonstration in the background, which takes one to four minutes. `off`: only users, dealers and cars, as for measurements.',
  }),
  demonstrationPassword: text('DEMO_PASSWORD', {
    shown: 'random',
    meaning: 'Password of the demonstration users.',
  }),
  installationId: text('INSTALLATION_ID', {
    meaning: 'Installation that is served for every host name.',
    allowed: 'the id of an installation, such as `ins_…`',
  }),
  jobs: toggle('JOBS', {
    fallback: true,
    meaning:
      'Whether the process runs background jobs (emails, deletions, key rotation). At least one process of each subgraph must.',
  }),
};

export const readDeployment = (environment: Environment) => readAll(deploymentSettings, environment);
