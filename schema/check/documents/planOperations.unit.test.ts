import { shopBase } from '../shopFixture.ts';
import { planOperations } from './planOperations.ts';

const supergraph = shopBase().supergraph ?? '';
const operation = (text: string, name: string | null = null) => ({ file: 'a.graphql', text, name });

test('operations over several subgraphs have plans', () => {
  const text =
    'query a { listing(id: 1) { title reviews { ...r } } } query b { categories { id } } fragment r on Review { text }';
  expect(planOperations(supergraph, [operation(text, 'a'), operation(text, 'b')])).toEqual([]);
  expect(planOperations(supergraph, [])).toEqual([]);
});

test('an operation without a plan is named, and those after it are planned', () => {
  const lost = operation('{ listing(id: 1) { nothing } }');
  const also = operation('{ nothing }');
  const failures = planOperations(supergraph, [lost, operation('{ categories { id } }'), also]);
  expect(failures.map((failure) => failure.operation)).toEqual([lost, also]);
  expect(failures[0]?.reason).toMatch(/nothing/);
});

test('a field that no subgraph can be asked for has no plan', () => {
  // The reviews subgraph no longer says by which key it finds a listing.
  const broken = supergraph.replace('@join__type(graph: REVIEWS, key: "id")', '@join__type(graph: REVIEWS)');
  expect(broken).not.toBe(supergraph);
  const reviews = operation('{ listing(id: 1) { reviews { text } } }');
  expect(planOperations(broken, [reviews, operation('{ listing(id: 1) { title } }')])).toMatchObject([
    { operation: reviews },
  ]);
});

test('a supergraph that the planner cannot read, or dies of, is a finding by itself', () => {
  for (const text of ['type {', 'type Query { a: Int }']) {
    const failures = planOperations(text, [operation('{ a }')]);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason).not.toBe('');
  }
});
