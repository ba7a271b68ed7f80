import { buildSchema, isObjectType } from 'graphql';
import { directiveGuards, federationGuards } from './directiveGuards.ts';

const language = directiveGuards(federationGuards);
const own = directiveGuards({ directives: ['role', 'owner'], public: 'open', required: true });

/** The guard of a field with these directives. */
function guardOf(directives: string, { read }: Pick<typeof language, 'read'> = language) {
  const type = buildSchema(`type Query { a: Int ${directives} }`, { assumeValidSDL: true }).getType('Query');
  const field = isObjectType(type) ? type.getFields().a : undefined;
  if (!field) throw new Error('the field is missing');
  return read(field);
}

type Verdict = 'same' | 'stricter' | 'looser' | 'both';

function verdictOf({ added, dropped }: { added: readonly string[]; dropped: readonly string[] }): Verdict {
  if (added.length > 0) return dropped.length > 0 ? 'both' : 'stricter';
  return dropped.length > 0 ? 'looser' : 'same';
}

test.each<[string, string, Verdict]>([
  ['@authenticated', '@authenticated', 'same'],
  ['', '@authenticated', 'stricter'],
  ['@authenticated', '', 'looser'],
  ['@authenticated', '@requiresScopes(scopes: [["a"]])', 'stricter'],
  ['@requiresScopes(scopes: [["a"]])', '@authenticated', 'looser'],
  ['@requiresScopes(scopes: [["a"]])', '@authenticated @requiresScopes(scopes: [["a"]])', 'same'],
  ['@requiresScopes(scopes: [["a"], ["b"]])', '@requiresScopes(scopes: [["b"], ["a"]])', 'same'],
  ['@requiresScopes(scopes: [["a"]])', '@requiresScopes(scopes: [["a"], ["b"]])', 'looser'],
  ['@requiresScopes(scopes: [["a"]])', '@requiresScopes(scopes: [["a", "b"]])', 'stricter'],
  ['@requiresScopes(scopes: [["a"]])', '@requiresScopes(scopes: [["b"]])', 'both'],
  ['@policy(policies: [["a", "b"]])', '@policy(policies: [["a"]])', 'looser'],
  ['@policy(policies: [["a"]])', '@requiresScopes(scopes: [["a"]])', 'both'],
  ['@deprecated', '', 'same'],
])('a change of the guard "%s" to "%s" is classified as %s', (before, after, verdict) => {
  expect(verdictOf(language.compare(guardOf(before), guardOf(after)))).toBe(verdict);
});

test.each<[string, string, Verdict]>([
  ['@role(name: "a", any: true)', '@role(any: true, name: "a")', 'same'],
  ['@role(name: "a")', '@role(name: "b")', 'both'],
  ['@role(name: "a")', '@role(name: "a") @owner', 'stricter'],
  ['@open', '@owner', 'stricter'],
  ['@owner', '@open', 'looser'],
])('a change of the configured guard "%s" to "%s" is classified as %s', (before, after, verdict) => {
  expect(verdictOf(own.compare(guardOf(before, own), guardOf(after, own)))).toBe(verdict);
});
