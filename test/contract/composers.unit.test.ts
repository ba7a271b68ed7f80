import { readFileSync } from 'node:fs';
import path from 'node:path';
import { composeServices } from '@apollo/composition';
import { compositionHasErrors, composeServices as guildCompose } from '@theguild/federation-composition';
import { federateSubgraphs } from '@wundergraph/composition';
import { buildSchema, type GraphQLObjectType, isObjectType, Kind, parse, visit } from 'graphql';
import { readSupergraphConfig } from '../../schema/compose/readSupergraphConfig.ts';
import { readGuard } from '../../schema/guards/readGuard.ts';

/**
 * Routers enforce the demands on callers that their composer finds in the schemas. The product's guards are enforced by
 * its subgraphs alone: an engine cannot check a session, an ownership or an installation. So no composer may find a
 * demand, otherwise an engine refuses fields that the subgraph serves, or reports a write as refused that took effect.
 */

const root = path.join(import.meta.dirname, '../..');

interface Source {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

/** Result of a composer. */
interface Result {
  /** Supergraph; null for Cosmo, whose configuration has no directives of other specifications. */
  readonly sdl: string | null;
  /** Coordinates on which the composer puts a demand: `Type.field`, or `Type` for all its fields. */
  readonly demands: readonly string[];
}

const composers: Readonly<Record<string, (sources: readonly Source[]) => Result>> = {
  Apollo(sources) {
    const result = composeServices(
      sources.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })),
    );
    if (result.errors) throw new Error(result.errors.map(({ message }) => message).join('\n'));
    return { sdl: result.supergraphSdl, demands: readDemands(result.supergraphSdl) };
  },
  'The Guild'(sources) {
    const result = guildCompose(sources.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })));
    if (compositionHasErrors(result)) throw new Error(result.errors.map(({ message }) => message).join('\n'));
    return { sdl: result.supergraphSdl, demands: readDemands(result.supergraphSdl) };
  },
  Cosmo(sources) {
    const subgraphs = sources.map(({ name, url, sdl }) => ({ name, url, definitions: parse(sdl) }));
    const result = federateSubgraphs({ version: '1', subgraphs });
    if (!result.success) throw new Error(result.errors.map(({ message }) => message).join('\n'));
    const demands = result.fieldConfigurations.filter(
      ({ requiresAuthentication, requiredScopes = [], requiredScopesByOR = [] }) =>
        requiresAuthentication || requiredScopes.length > 0 || requiredScopesByOR.length > 0,
    );
    return { sdl: null, demands: demands.map(({ typeName, fieldName }) => `${typeName}.${fieldName}`) };
  },
};

/** Returns the coordinates with directives that the federation specification defines as demands on callers. */
function readDemands(supergraph: string): string[] {
  const found: string[] = [];
  const demanding = new Set(['authenticated', 'requiresScopes', 'policy']);
  visit(parse(supergraph), {
    ObjectTypeDefinition({ name, fields = [], directives = [] }) {
      if (directives.some((directive) => demanding.has(directive.name.value))) found.push(name.value);
      for (const field of fields)
        if (field.directives?.some((directive) => demanding.has(directive.name.value)))
          found.push(`${name.value}.${field.name.value}`);
    },
  });
  return found;
}

const product: readonly Source[] = readSupergraphConfig(root).map(({ name, url, file }) => ({
  name,
  url,
  sdl: readFileSync(path.join(root, file), 'utf8'),
}));

const guardsOf = (supergraph: string): Record<string, unknown> => {
  const schema = buildSchema(supergraph, { assumeValid: true, assumeValidSDL: true });
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType =>
      isObjectType(type) && type.astNode?.kind === Kind.OBJECT_TYPE_DEFINITION,
  );
  return Object.fromEntries(
    types.flatMap((type) => [
      [type.name, readGuard(type)],
      ...Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, readGuard(field)]),
    ]),
  );
};

describe.each(Object.keys(composers))('the composer of %s', (name) => {
  const compose = composers[name] as (sources: readonly Source[]) => Result;

  test('requires no authentication, scope or policy for any field of the product', () => {
    expect(compose(product).demands).toEqual([]);
  });

  test('requires authentication or a scope for fields with a directive of the federation specification', () => {
    const sdl = `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@authenticated", "@requiresScopes"])
      type Query { open: Int, me: Int @authenticated, roles: Int @requiresScopes(scopes: [["roles"]]) }`;
    const { demands } = compose([{ name: 'shop', url: 'http://127.0.0.1:1/', sdl }]);
    expect(demands).toEqual(expect.arrayContaining(['Query.me', 'Query.roles']));
    expect(demands).not.toContain('Query.open');
  });
});

test('Apollo and The Guild keep the fields that are null only with an error', () => {
  const marksOf = (sdl: string) => sdl.split('\n').filter((line) => / @semanticNonNull\b/.test(line)).length;
  const marks = ['Apollo', 'The Guild'].map((name) => marksOf(composers[name]?.(product).sdl ?? ''));
  expect(marks[0]).toBeGreaterThan(80);
  expect(marks[1]).toBe(marks[0]);
});

test('Apollo and The Guild compose the same guards', () => {
  const [apollo, guild] = ['Apollo', 'The Guild'].map((name) =>
    guardsOf(composers[name]?.(product).sdl ?? ''),
  );
  expect(Object.values(apollo ?? {}).filter(Boolean).length).toBeGreaterThan(300);
  expect(guild).toEqual(apollo);
});
