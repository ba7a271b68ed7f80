import { aiSettings, readAi } from './ai.ts';
import { catalogSettings, readCatalog } from './catalog.ts';
import { databaseSettings, readDatabase } from './database.ts';
import { deploymentSettings, readDeployment } from './deployment.ts';
import { federationSettings, readFederation } from './federation.ts';
import { graphqlSettings, readGraphql } from './graphql.ts';
import { httpSettings, readHttp } from './http.ts';
import { limitSettings, readLimits } from './limits.ts';
import { mailSettings, readMail } from './mail.ts';
import { paymentSettings, readPayments } from './payments.ts';
import type { Environment, Settings } from './Setting.ts';
import { readStorage, storageSettings } from './storage.ts';
import { readTelemetry, telemetrySettings } from './telemetry.ts';
import { readTokens, tokenSettings } from './tokens.ts';
import { readUsage, usageSettings } from './usage.ts';

/** All settings, by concern, in the order of the README. */
export const concerns: Readonly<Record<string, Settings>> = {
  Deployment: deploymentSettings,
  Database: databaseSettings,
  'Catalogue search': catalogSettings,
  HTTP: httpSettings,
  'Secrets and tokens': tokenSettings,
  'Router and subgraphs': federationSettings,
  GraphQL: graphqlSettings,
  Limits: limitSettings,
  Files: storageSettings,
  Mail: mailSettings,
  Payments: paymentSettings,
  AI: aiSettings,
  Telemetry: telemetrySettings,
  'API usage': usageSettings,
};

/** Settings of the process. */
export type Configuration = ReturnType<typeof readConfiguration>;

/**
 * Reads and validates the settings.
 *
 * @throws Error with the name of the variable, the error and the remedy
 */
export function readConfiguration(environment: Environment) {
  return {
    ...readDeployment(environment),
    ...readDatabase(environment),
    ...readCatalog(environment),
    ...readHttp(environment),
    ...readTokens(environment),
    ...readFederation(environment),
    ...readGraphql(environment),
    ...readLimits(environment),
    ...readStorage(environment),
    ...readMail(environment),
    ...readPayments(environment),
    ...readAi(environment),
    ...readTelemetry(environment),
    ...readUsage(environment),
  };
}
