import { engines } from '../../embedded-db/chooseEngine.ts';
import { choice, type Environment, readAll, text } from './Setting.ts';

/** Settings of the database. */
export const databaseSettings = {
  mongodbUri: text('MONGODB_URI', {
    shown: 'the embedded database',
    meaning: 'Connection string of your own MongoDB.',
    allowed: 'the connection string of a MongoDB 7 or newer that is a replica set or a sharded cluster',
  }),
  embeddedDb: choice('EMBEDDED_DB', {
    words: engines,
    shown: 'chosen',
    meaning: 'Engine of the embedded database; see [embedded database](../how-to/embedded-database.md).',
  }),
};

export const readDatabase = (environment: Environment) => readAll(databaseSettings, environment);
