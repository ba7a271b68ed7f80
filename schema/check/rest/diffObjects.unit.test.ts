import { diffValue, place } from './documentFixture.ts';

const named = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

test.each<[string, unknown, unknown, string[], string[]]>([
  [
    'a member goes',
    named('a', 'b'),
    named('a'),
    ['breaking request-property-removed b'],
    ['breaking response-property-removed b'],
  ],
  [
    'a member comes',
    named('a'),
    named('a', 'b'),
    ['safe request-property-added b'],
    ['safe response-property-added b'],
  ],
  [
    'a required member comes',
    named('a'),
    { ...named('a', 'b'), required: ['b'] },
    ['breaking request-required-property-added b'],
    ['safe response-property-added b'],
  ],
  [
    'a member is always there',
    named('a'),
    { ...named('a'), required: ['a'] },
    ['breaking request-property-became-required a'],
    ['safe response-property-became-required a'],
  ],
  [
    'a member may be absent',
    { ...named('a'), required: ['a'] },
    named('a'),
    ['safe request-property-became-optional a'],
    ['breaking response-property-became-optional a'],
  ],
  [
    'a member of an item goes',
    { type: 'array', items: named('a', 'b') },
    { type: 'array', items: named('a') },
    ['breaking request-property-removed [].b'],
    ['breaking response-property-removed [].b'],
  ],
  [
    'other members are refused',
    named('a'),
    { ...named('a'), additionalProperties: false },
    ['breaking request-closed'],
    [],
  ],
  [
    'other members are taken',
    { ...named('a'), additionalProperties: false },
    named('a'),
    ['safe request-opened'],
    [],
  ],
  [
    'other members have another type',
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'integer' } },
    ['breaking request-type-changed *'],
    ['breaking response-type-changed *'],
  ],
  [
    'a pattern of names goes',
    { type: 'object', patternProperties: { '^x': { type: 'string' } } },
    { type: 'object' },
    ['breaking request-property-removed ^x'],
    ['breaking response-property-removed ^x'],
  ],
  [
    'a form comes',
    {
      anyOf: [
        { ...named('a'), title: 'A' },
        { ...named('b'), title: 'B' },
      ],
    },
    {
      anyOf: [
        { ...named('b'), title: 'B' },
        { ...named('a'), title: 'A' },
        { ...named('c'), title: 'C' },
      ],
    },
    ['safe request-variant-added <C>'],
    ['dangerous response-variant-added <C>'],
  ],
  [
    'a form goes',
    {
      anyOf: [
        { ...named('a'), title: 'A' },
        { ...named('b'), title: 'B' },
      ],
    },
    { ...named('a'), title: 'A' },
    ['breaking request-variant-removed <B>'],
    ['safe response-variant-removed <B>'],
  ],
  [
    'the only form is called otherwise',
    { ...named('a'), title: 'A' },
    { ...named('a'), title: 'B', description: 'words', examples: [1] },
    [],
    [],
  ],
  [
    'a default changes',
    { type: 'string', default: 'a' },
    { type: 'string', default: 'b' },
    ['dangerous request-default-changed'],
    [],
  ],
  [
    'a member is called like what objects inherit',
    named('a'),
    named('a', 'constructor'),
    ['safe request-property-added constructor'],
    ['safe response-property-added constructor'],
  ],
])('%s: judged by who writes the object', (_, before, after, request, response) => {
  for (const [polarity, expected] of Object.entries({ request, response }) as ['request', string[]][]) {
    const ids = expected.map((text) => {
      const [severity, kind, member = ''] = text.split(' ');
      const separator = member === '' || member.startsWith('[') ? '' : '.';
      return `${severity} ${kind}:${place[polarity]}${separator}${member}`;
    });
    expect(diffValue(polarity, before, after)).toEqual(ids);
  }
});
