import { type Environment, readAll, text, toggle } from './Setting.ts';

/** What this deployment is. */
export const deploymentSettings = {
  dataDir: text('DATA_DIR', {
    fallback: '.data',
    meaning:
      'Folder of the embedded database, of files on disk, of mails without `SMTP_URL` and of the root secret of the demonstration.',
    allowed: 'a folder that the process may write to',
  }),
  demonstration: toggle('DEMO', {
    fallback: true,
    meaning: '`on`: the first start creates the demonstration. With `off`, a root secret is required.',
  }),
  demonstrationPassword: text('DEMO_PASSWORD', {
    shown: 'random',
    meaning: 'Password of the people of the demonstration.',
  }),
  installationId: text('INSTALLATION_ID', {
    meaning: 'Installation that is served whatever the host name of a request is.',
    allowed: 'the id of an installation, as in `ins_…`',
  }),
  jobs: toggle('JOBS', {
    fallback: true,
    meaning:
      'Whether the process takes part in background work (mails, deletions, key rotation). One process of each subgraph must.',
  }),
};

export const readDeployment = (environment: Environment) => readAll(deploymentSettings, environment);
