import { type CommandCall, runCommands } from '../app/commands/runCommands.ts';
import { addIssuer, type NewIssuer } from '../subgraphs/identity/people/issuer/addIssuer.ts';
import { removeIssuer, setIssuerState } from '../subgraphs/identity/people/issuer/changeIssuer.ts';
import { IssuerModel, type IssuerRecord } from '../subgraphs/identity/people/issuer/model.ts';
import { InstallationModel } from '../subgraphs/platform/installation/Installations.ts';

const many = { type: 'string', multiple: true } as const;
const one = { type: 'string' } as const;
const mappedClaims: ReadonlySet<string> = new Set(['email', 'emailVerified', 'name', 'roles']);

/**
 * `npm run issuers -- add|list|disable|enable|remove`: external OIDC issuers whose tokens an installation exchanges.
 */
await runCommands(
  'issuers',
  'Manages the external OpenID Connect issuers whose tokens an installation exchanges.',
  {
    add: {
      usage: `--installation <id or host> --issuer <url> --audience <text>…
      [--name <text>] [--jwks-uri <url>] [--algorithm ES256|ES384|RS256|PS256]… [--authorized-party <text>]…
      [--provision] [--claim email|emailVerified|name|roles=<claim>]… [--role <theirs>=<ours>]… [--max-age <seconds>]`,
      options: {
        installation: one,
        issuer: one,
        audience: many,
        name: one,
        'jwks-uri': one,
        algorithm: many,
        'authorized-party': many,
        provision: { type: 'boolean' },
        claim: many,
        role: many,
        'max-age': one,
      },
      async run(call) {
        const { print, configuration } = call;
        await call.settle({ models: [IssuerModel] });
        const added = await addIssuer(await readNewIssuer(call), {
          ownIssuer: configuration.issuer,
          allowPrivate: configuration.privateIssuers,
          now: Date.now,
        });
        print(describe(added));
        print(`keys at ${added.jwksUri}`);
      },
    },
    list: {
      usage: '',
      async run({ print }) {
        const issuers = await IssuerModel.find({}).sort({ installationId: 1, _id: 1 }).lean<IssuerRecord[]>();
        if (issuers.length === 0) print('no external issuers: npm run issuers -- add …');
        for (const issuer of issuers) print(describe(issuer));
      },
    },
    disable: { usage: '<iss_…>', positionals: 1, run: (call) => setState(call, 'disabled') },
    enable: { usage: '<iss_…>', positionals: 1, run: (call) => setState(call, 'active') },
    remove: {
      usage: '<iss_…>   accounts keep their identities, and sessions last until they end',
      positionals: 1,
      async run({ print, positionals: [id = ''] }) {
        await removeIssuer(id);
        print(`${id} is removed. Its tokens are no longer exchanged`);
      },
    },
  },
);

async function readNewIssuer({ values }: CommandCall): Promise<NewIssuer> {
  const { name, provision } = values;
  const jwksUri = values['jwks-uri'];
  const maxAge = values['max-age'];
  return {
    installationId: await findInstallation(required(values, 'installation')),
    issuer: required(values, 'issuer'),
    audiences: list(values.audience),
    authorizedParties: list(values['authorized-party']),
    autoProvision: provision === true,
    claimMap: Object.fromEntries(list(values.claim).map((pair) => assertClaim(split(pair, 'claim')))),
    roleMap: list(values.role).map((pair) => {
      const [claim, role] = split(pair, 'role');
      return { claim, role };
    }),
    ...(typeof name === 'string' && { displayName: name }),
    ...(typeof jwksUri === 'string' && { jwksUri }),
    ...(values.algorithm !== undefined && { algorithms: list(values.algorithm) }),
    ...(typeof maxAge === 'string' && { maxTokenAgeSeconds: Number(maxAge) }),
  };
}

function assertClaim(pair: [string, string]): [string, string] {
  if (mappedClaims.has(pair[0])) return pair;
  throw new Error(`--claim ${pair[0]} is unknown. Use one of: ${[...mappedClaims].join(', ')}.`);
}

function required(values: CommandCall['values'], name: string): string {
  const value = values[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`--${name} is missing.`);
}

function list(value: CommandCall['values'][string]): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Splits at the last `=`, because a claim may contain one, but a role does not. */
function split(pair: string, option: string): [string, string] {
  const at = option === 'role' ? pair.lastIndexOf('=') : pair.indexOf('=');
  if (at > 0 && at < pair.length - 1) return [pair.slice(0, at), pair.slice(at + 1)];
  throw new Error(`--${option} ${pair} has no "=" between two names.`);
}

async function findInstallation(name: string): Promise<string> {
  const found = await InstallationModel.findOne({
    $or: [{ _id: name }, { hosts: name.toLowerCase() }],
  }).lean<{
    _id: string;
  }>();
  if (found) return found._id;
  throw new Error(`the installation "${name}" does not exist. Pass its id or one of its host names.`);
}

async function setState({ print, positionals: [id = ''] }: CommandCall, state: IssuerRecord['state']) {
  await setIssuerState(id, state, new Date());
  print(`${id} is ${state}`);
}

function describe({
  _id,
  installationId,
  issuer,
  audiences,
  algorithms,
  state,
  autoProvision,
}: IssuerRecord): string {
  const accounts = autoProvision ? 'makes accounts' : 'for accounts that were linked';
  return `${_id}  ${installationId}  ${state.padEnd(8)}  ${issuer}  for ${audiences.join(', ')}  ${algorithms.join(' ')}  ${accounts}`;
}
