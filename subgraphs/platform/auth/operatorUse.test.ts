import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import { product } from '../../../test/support/product.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { newId } from '../ids/newId.ts';
import { type TokenFacts, Viewer } from '../principal/Viewer.ts';
import { guardSchema } from './guardSchema.ts';

const { market, stack } = product();

const operatorId = newId('operator');
const operator = (): Viewer => {
  const token: TokenFacts = {
    subject: operatorId,
    subjectType: 'operator',
    installationId: market.installation.id,
    sessionId: newId('session'),
    scopes: new Set(),
    authTime: 0,
    amr: ['pwd', 'otp'],
    expiresAt: 600,
  };
  return new Viewer(token, { state: 'active', emailVerified: true, roles: ['operator'], memberships: [] });
};

/** The actions of the operator in the audit log. */
const recorded = async () => (await market.audits({ 'actor.id': operatorId })).map(({ action }) => action);

const sdl = `
  type Query {
    open: [String!] @guard__public @guard__rateClass(name: READ)
    plans: [String!] @guard__permission(name: "plans:read") @guard__rateClass(name: READ)
  }
  type Plan @key(fields: "id") @guard__permission(name: "plans:read") { id: ID!  recorded: [String!] }
`;
const resolvers = {
  Query: { open: recorded, plans: recorded },
  Plan: { __resolveReference: async ({ id }: { id: string }) => ({ id, recorded: await recorded() }) },
};
const typeDefs = parse(assembleSdl([{ file: 'test', text: sdl }]));
const schema = guardSchema(buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }]), {});

async function call(source: string): Promise<unknown> {
  const contextValue = new RequestContext(
    { ...stack.platform, identify: () => ({ kind: 'accepted', viewer: operator() }) },
    { installation: market.installation, clientAddress: '192.0.2.7', userAgent: '' },
  );
  const { data, errors } = await execute({ schema, document: parse(source), contextValue });
  expect(errors).toBeUndefined();
  return Object.values(data ?? {})[0];
}

test('the use of a guarded field or reference by an operator is in the audit log before it is resolved', async () => {
  expect(await call('{ open }')).toEqual([]);
  expect(await call('{ plans }')).toEqual(['plans']);
  const plan =
    '{ _entities(representations: [{ __typename: "Plan", id: "p1" }]) { ... on Plan { recorded } } }';
  expect(await call(plan)).toEqual([{ recorded: ['plans', 'Plan'] }]);
});
