import { runCommands } from '../app/commands/runCommands.ts';
import {
  activateNextKey,
  revokeSigningKey,
} from '../subgraphs/identity/people/signing-key/changeSigningKeys.ts';
import { readKeys } from '../subgraphs/identity/people/signing-key/ensureSigningKeys.ts';
import { SigningKeyModel, type StoredSigningKey } from '../subgraphs/identity/people/signing-key/model.ts';
import type { Secrets } from '../subgraphs/platform/secrets/deriveSecret.ts';

/** `npm run keys -- list|rotate|revoke`: the keys that sign access tokens, on a deployment that may be running. */
await runCommands('keys', 'Manages the keys that sign access tokens of a deployment, which may be running.', {
  list: {
    usage: '                 all keys: state, dates, and where the private half is',
    async run({ print, secrets }) {
      const records = await readKeys();
      if (records.length === 0) print('no keys yet. The first start of the identity subgraph creates them');
      for (const record of records.sort(byAge)) print(describe(record, secrets));
    },
  },
  rotate: {
    usage: '[--now]        the published key signs; --now: also when it was published less than 24 hours ago',
    options: { now: { type: 'boolean' } },
    async run({ print, secrets, settle, values }) {
      await settle({ models: [SigningKeyModel] });
      const { signs, before } = await activateNextKey(secrets, new Date(), { force: values.now === true });
      print(`key ${signs} is now the signing key`);
      if (before !== null) print(`key ${before} is accepted for one more hour, so no user is signed out`);
    },
  },
  revoke: {
    usage:
      '<kid>          removes a key from the set immediately, which invalidates every token that it signed',
    positionals: 1,
    async run({ print, secrets, positionals: [kid = ''] }) {
      const signer = await revokeSigningKey(secrets, new Date(), kid);
      print(`key ${kid} is revoked. Every process that reaches the database refuses its tokens`);
      print(`key ${signer} is the signing key; users get new tokens with their refresh tokens`);
    },
  },
});

function byAge(a: StoredSigningKey, b: StoredSigningKey): number {
  return a.createdAt.getTime() - b.createdAt.getTime();
}

function describe(record: StoredSigningKey, { signingKeys }: Secrets): string {
  const { kid, state, createdAt, activatedAt, replacedAt, retiredAt, sealedPrivateKey } = record;
  const dates = [
    `published ${createdAt.toISOString()}`,
    activatedAt && `signs since ${activatedAt.toISOString()}`,
    replacedAt && `until ${replacedAt.toISOString()}`,
    retiredAt && `out of the set since ${retiredAt.toISOString()}`,
  ].filter((date) => date !== null);
  const place = signingKeys.has(kid) ? 'file' : sealedPrivateKey !== null ? 'database' : 'not here';
  return `${kid}  ${state.padEnd(11)}  private half: ${place.padEnd(8)}  ${dates.join(', ')}`;
}
