import { createSecretKey, type KeyObject } from 'node:crypto';
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { openAuditBuffer } from '../audit/store/AuditBuffer.ts';
import type { AskSubgraph } from '../context/AskSubgraph.ts';
import type { CatalogSettings } from '../context/CatalogSettings.ts';
import type { PaymentSettings } from '../context/PaymentSettings.ts';
import type { Platform } from '../context/Platform.ts';
import { noRateLimits } from '../context/RateLimits.ts';
import { createSignals } from '../context/signals.ts';
import { EventStreams } from '../http/EventStreams.ts';
import { openInstallations } from '../installation/Installations.ts';
import type { MailTransport } from '../mail/MailTransport.ts';
import { onOutboxFilled, outboxOf } from '../mongo/outboxFilled.ts';
import { watchChanges } from '../mongo/watchChanges.ts';
import { createIdentify } from '../principal/identify.ts';
import { openPrincipals } from '../principal/principals.ts';
import { openRateLimits } from '../rate/openRateLimits.ts';
import type { Secrets } from '../secrets/deriveSecret.ts';
import type { Storage } from '../storage/Storage.ts';
import type { Telemetry } from '../telemetry/Telemetry.ts';
import { createKeySet } from '../token/KeySet.ts';
import type { SigningKeyRecord } from '../token/SigningKey.ts';
import { openUsageLedger, type UsageSettings } from '../usage/UsageLedger.ts';

/** Options for opening the platform. */
export interface PlatformOptions {
  /** Issuer URL: one value per deployment. */
  issuer: string;
  secrets: Secrets;
  /**
   * `ROUTER_SECRET`: shared by the router and the subgraphs of other processes; derived from the root secret if unset.
   */
  routerSecret?: string | undefined;
  log: Logger;
  ask: AskSubgraph;
  mail: MailTransport;
  storage: Storage;
  /** Payment settings; by default the sandbox, in which no money moves. */
  payments?: PaymentSettings | undefined;
  /** Settings of the catalogue search; embedded by default. */
  catalog?: CatalogSettings | undefined;
  now?: () => number;
  /** Telemetry; off by default. */
  telemetry?: Telemetry | undefined;
  /** Settings of the usage ledger; off by default. */
  usage?: UsageSettings | undefined;
  /** `INSTALLATION_ID` of a single-tenant deployment. */
  installationId?: string | undefined;
  /** Whether rate limits apply; see `RATE_LIMITS`. */
  rateLimits?: boolean;
  /** Maximum age of a cached principal in milliseconds; 5 seconds by default. */
  principalMaxAgeMs?: number;
  /** Development only: external issuers may be at private addresses, and speak plain http. */
  allowPrivateIssuers?: boolean;
  /** `host:port` of providers of models that may be at private addresses. */
  privateAiHosts?: readonly string[] | undefined;
}

/** Opens the platform of this process. Requires an open database connection. */
export async function openPlatform(options: PlatformOptions): Promise<Platform & { close(): Promise<void> }> {
  const { issuer, secrets, log, ask, mail, storage, telemetry, now = Date.now } = options;
  const installations = await openInstallations({ fixedId: options.installationId });
  const keys = createKeySet({
    load: readSigningKeys,
    onLoadError: (error) => log.error({ err: error }, 'signing keys could not be read'),
  });
  const changes = watchChanges({ log });
  // A rotated or compromised key leaves every process immediately.
  changes.listen('signing_keys', {
    onChange: () => keys.drop(),
    // While the database is unavailable, cached keys are kept, because they could not be read again.
    onGap: () => changes.areWatched && keys.drop(),
  });
  const signals = createSignals();
  const stopHearing = onOutboxFilled((collection) => signals.send(outboxOf(collection)));
  const principals = openPrincipals({
    now,
    changes,
    ...(options.principalMaxAgeMs === undefined ? {} : { maxAgeMs: options.principalMaxAgeMs }),
  });
  const auditBuffer = openAuditBuffer({ log, now });
  const usage = options.usage && openUsageLedger(options.usage, { log, now, telemetry });
  const buffers: Platform['buffers'] = new Map();
  const rateLimits = options.rateLimits === false ? noRateLimits : openRateLimits({ log, now });
  return {
    issuer,
    secrets,
    contextKey: contextKey(options),
    keys,
    installations,
    log,
    now,
    allowPrivateIssuers: options.allowPrivateIssuers ?? false,
    privateAiHosts: new Set(options.privateAiHosts),
    ask,
    mail,
    catalog: options.catalog ?? { engine: 'embedded' },
    payments: options.payments ?? { provider: 'sandbox' },
    storage,
    telemetry,
    usage,
    signals,
    changes,
    streams: new EventStreams(),
    auditBuffer,
    buffers,
    rateLimits,
    identify: createIdentify({ keys, issuer, installations, principals, now }),
    forgetPrincipal: principals.forget,
    async close() {
      await rateLimits.close();
      await auditBuffer.close();
      await usage?.close();
      for (const buffer of buffers.values()) await buffer.close();
      installations.close();
      stopHearing();
      principals.close();
      await changes.close();
    },
  };
}

/**
 * Reads the public halves of the deployment's keys in every state that may still verify. Every subgraph reads them
 * itself.
 */
async function readSigningKeys(): Promise<SigningKeyRecord[]> {
  const collection = mongoose.connection.collection<SigningKeyRecord & { _id: string }>('signing_keys');
  return collection.find({ state: { $in: ['next', 'current', 'previous'] } }, { sort: { _id: 1 } }).toArray();
}

/**
 * Returns the key that signs the context between routers and subgraphs.
 *
 * @throws Error with the remedy if `ROUTER_SECRET` is too short
 */
export function contextKey({
  routerSecret,
  secrets,
}: Pick<PlatformOptions, 'routerSecret' | 'secrets'>): KeyObject {
  if (routerSecret === undefined) return createSecretKey(secrets.derive('routerContext'));
  if (Buffer.byteLength(routerSecret) >= 32) return createSecretKey(Buffer.from(routerSecret));
  throw new Error(
    'ROUTER_SECRET is too short: it needs at least 32 bytes, as from `openssl rand -base64 48`.',
  );
}
