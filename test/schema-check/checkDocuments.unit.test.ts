import { checkDocuments } from '../../packages/schema-check/src/documents/checkDocuments.ts';
import { planOperations } from '../../packages/schema-check/src/documents/planOperations.ts';
import { shopBase } from './shopFixture.ts';

const { supergraph, api } = shopBase();
const composed = { supergraph: supergraph ?? '', api: api ?? '', openApi: null };
const operation = (text: string, name: string | null = null) => ({ file: 'a.graphql', text, name });

test.each([
  ['query {', /Syntax Error/],
  ['{ nothing }', /nothing/],
  ['query a { categories { id } } query a { categories { id } }', /only one operation named "a"/],
  ['query a { categories { id } } fragment f on Category { id }', /never used/],
])('an invalid registered operation is one finding: %s', (text, message) => {
  const [change, ...more] = checkDocuments(
    { ...composed, operations: [{ file: 'schema/operations/a.graphql', text }] },
    [],
  );
  expect(change).toMatchObject({
    id: 'document-invalid:schema/operations/a.graphql',
    message: expect.stringMatching(message),
  });
  expect(more).toEqual([]);
});

test('valid operations over several subgraphs have plans', () => {
  const text =
    'query a { listing(id: 1) { title reviews { ...r } } } query b { categories { id } } fragment r on Review { text }';
  expect(planOperations(composed.supergraph, [operation(text, 'a'), operation(text, 'b')])).toEqual([]);
  expect(planOperations(composed.supergraph, [])).toEqual([]);
});

test('an operation without a plan is reported, and the operations after it are planned', () => {
  const lost = operation('{ listing(id: 1) { nothing } }');
  const also = operation('{ nothing }');
  const failures = planOperations(composed.supergraph, [lost, operation('{ categories { id } }'), also]);
  expect(failures.map((failure) => failure.operation)).toEqual([lost, also]);
  expect(failures[0]?.reason).toMatch(/nothing/);
});

test.each(['type {', 'type Query { a: Int }'])('an invalid supergraph is one finding: %s', (text) => {
  expect(planOperations(text, [operation('{ a }')])).toEqual([
    expect.objectContaining({ reason: expect.stringMatching(/./) }),
  ]);
});
