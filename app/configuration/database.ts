import { engines } from '../../embedded-db/chooseEngine.ts';
import { choice, type Environment, readAll, text, toggle } from './Setting.ts';

/** Settings of the database. */
export const databaseSettings = {
  mongodbUri: text('MONGODB_URI', {
    shown: 'the embedded database',
    meaning: 'Connection string of your own MongoDB.',
    allowed: 'the connection string of a MongoDB 7 or newer that is a replica set or a sharded cluster',
  }),
  migrateOnStart: toggle('MIGRATE_ON_START', {
    fallback: ({ MONGODB_URI }) => !MONGODB_URI,
    shown: '`on` for the embedded database, otherwise `off`',
    meaning:
      'Whether each process creates missing collections and indexes, and applies [migrations](../how-to/deployment.md#migrations), when it starts. If it is `off`, a process does not start without them.',
  }),
  embeddedDb: choice('EMBEDDED_DB', {
    words: engines,
    shown: 'chosen',
    meaning: 'Engine of the embedded database; see [embedded database](../how-to/embedded-database.md).',
  }),
};

export const readDatabase = (environment: Environment) => readAll(databaseSettings, environment);
