import { findBreakingChanges, GraphQLError, parse, printSchema } from 'graphql';
import { createShop } from './fixture/shopFixture.ts';
import { toApiSchema } from './toApiSchema.ts';

describe('the API schema', () => {
  test('is the graph as one schema', () => {
    const { federation, monolith } = createShop();
    const api = toApiSchema(parse(federation.supergraphSdl));
    expect(findBreakingChanges(api, monolith)).toEqual([]);
    expect(findBreakingChanges(monolith, api)).toEqual([]);
  });

  test('knows @inaccessible by the name that the supergraph gives it', () => {
    const api = toApiSchema(
      parse(`
        schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/inaccessible/v0.2", as: "hidden") { query: Query }
        directive @hidden on FIELD_DEFINITION | OBJECT | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        directive @link(url: String, as: String) repeatable on SCHEMA
        type Query { a(x: Int, y: Int @hidden): Int b: Secret @hidden c(input: In): E }
        type Secret @hidden { x: Int }
        input In { p: Int q: Int @hidden }
        enum E { ON OFF @hidden }
      `),
    );
    expect(printSchema(api)).toBe(
      'type Query {\n  a(x: Int): Int\n  c(input: In): E\n}\n\ninput In {\n  p: Int\n}\n\nenum E {\n  ON\n}',
    );
  });

  test('keeps deprecations, @oneOf, @specifiedBy and directives that operations may use', () => {
    const api = toApiSchema(
      parse(`
        directive @cached(seconds: Int) on QUERY
        directive @guard on FIELD_DEFINITION
        type Query { a(by: By): When @deprecated(reason: "old") @guard b: Int }
        input By @oneOf { id: ID name: String }
        scalar When @specifiedBy(url: "https://example.com/when")
      `),
    );
    const text = printSchema(api);
    for (const kept of ['@deprecated(reason: "old")', '@oneOf', '@specifiedBy', 'directive @cached']) {
      expect(text).toContain(kept);
    }
    expect(text).not.toContain('guard');
  });

  test('is refused when nothing valid remains', () => {
    const supergraph = parse(
      'directive @inaccessible on FIELD_DEFINITION type Query { a: Int @inaccessible }',
    );
    expect(() => toApiSchema(supergraph)).toThrow(GraphQLError);
  });
});
