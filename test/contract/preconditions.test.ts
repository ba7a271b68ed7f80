import { changedCollections, digestCollections } from '../authorization/matrix/digestCollections.ts';
import { type ValidCall, validCall } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import {
  askGraphql,
  askRest,
  type Input,
  inputOf,
  type Mutation,
  readMutations,
  tokenOf,
} from './mutations.ts';
import { versionFor } from './versions.ts';

const mutations = readMutations();
/** deleteLanguage is first, because it adds a language and the call that reorders languages must name all of them. */
const versioned = mutations
  .filter(({ members }) => members.has('expectedVersion'))
  .sort((a, b) => Number(b.name === 'deleteLanguage') - Number(a.name === 'deleteLanguage'));
/** Routes of writes whose resource has no version. */
const unversioned = mutations.flatMap((mutation) =>
  mutation.routes
    .filter(({ route, ifMatch }) => !ifMatch && route.method !== 'POST')
    .map((binding) => ({ mutation, binding, name: `${binding.route.method} ${binding.route.path}` })),
);

let world: World;
/** Outcomes of the calls with another version, by name of the mutation, or by route. */
const outcomes = new Map<string, Record<string, string>>();
let changed: string[];

beforeAll(async () => {
  world = await openWorld();
  const stale = [];
  for (const mutation of versioned) stale.push({ mutation, valid: await prepare(mutation) });
  const refused = [];
  for (const { mutation, binding, name } of unversioned)
    refused.push({ binding, name, valid: await validCall(world, mutation.operation) });
  const versions = [];
  for (const { mutation, valid } of stale) versions.push(await versionFor(world, mutation, valid));
  const before = await digestCollections();
  for (const [index, { mutation, valid }] of stale.entries())
    outcomes.set(mutation.name, await callStale(mutation, valid, versions[index]?.version ?? 0));
  for (const { binding, name, valid } of refused) {
    const { outcome } = await askRest(world, binding, valid, { 'if-match': '"1-00000000"' });
    outcomes.set(name, { outcome });
  }
  changed = changedCollections(before, await digestCollections());
});
afterAll(() => world.app.close());

/** Members that make a valid call write. A call that writes nothing compares no version. */
const inEarnest: Readonly<Record<string, Input>> = { mergeRelationGroups: { dryRun: false } };

async function prepare({ name, operation }: Mutation): Promise<ValidCall> {
  const valid = await validCall(world, operation);
  const input = { ...inputOf(valid), ...inEarnest[name] };
  return { ...valid, call: { ...valid.call, variables: { input } } };
}

const refused = '412 precondition_failed';

/** Expected outcomes of a versioned mutation for other versions, by the names of `callStale`. */
function refusals({ routes }: Mutation): Record<string, string> {
  const ofRoutes = routes.flatMap(({ route: { method } }) => [
    [`${method} with an earlier version`, refused],
    [`${method} with a weak tag`, refused],
    [`${method} with a tag that has no quotes`, refused],
    [`${method} with two versions`, '400 malformed_request'],
  ]);
  return { 'an earlier version': refused, 'a later version': refused, ...Object.fromEntries(ofRoutes) };
}

async function callStale(
  mutation: Mutation,
  valid: ValidCall,
  version: number,
): Promise<Record<string, string>> {
  const input = inputOf(valid);
  const ask = async (expectedVersion: number) =>
    (await askGraphql(world, valid, { ...input, expectedVersion })).outcome;
  const answers = {
    'an earlier version': await ask(version - 1),
    'a later version': await ask(version + 1),
  };
  const [tag, earlier] = [`"${version}-00000000"`, `"${version - 1}-00000000"`];
  const tags = {
    'an earlier version': earlier,
    'a weak tag': `W/${tag}`,
    'a tag that has no quotes': `${version}-00000000`,
    'two versions': `${tag}, ${earlier}`,
  };
  const ofRoutes: Record<string, string> = {};
  for (const binding of mutation.routes)
    for (const [name, stated] of Object.entries(tags)) {
      const { outcome } = await askRest(world, binding, valid, { 'if-match': stated });
      ofRoutes[`${binding.route.method} with ${name}`] = outcome;
    }
  return { ...answers, ...ofRoutes };
}

test.each(versioned)('$name refuses any version but the current one', (mutation) => {
  expect(outcomes.get(mutation.name)).toEqual(refusals(mutation));
});

test.each(versioned)('$name accepts the current version', async (mutation) => {
  const valid = await prepare(mutation);
  const { version } = await versionFor(world, mutation, valid);
  const answer = await askGraphql(world, valid, { ...inputOf(valid), expectedVersion: version });
  expect(answer).toMatchObject({ outcome: 'answered' });
  for (const binding of mutation.routes) {
    const next = await prepare(mutation);
    const { version, path } = await versionFor(world, mutation, next);
    const read = path && (await world.app.send({ path, token: tokenOf(world, next) }));
    if (read) expect(read).toMatchObject({ status: 200 });
    const tag = read ? String(read.headers.etag) : `"${version}-00000000"`;
    expect(await askRest(world, binding, next, { 'if-match': tag })).toMatchObject({ outcome: 'answered' });
  }
});

test.each(unversioned)('$name refuses If-Match, because its resource has no version', ({ name }) => {
  expect(outcomes.get(name)).toEqual({ outcome: refused });
});

test('a refused precondition changes no record', () => {
  expect(changed).toEqual([]);
});
