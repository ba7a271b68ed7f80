import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { policyVersion } from '../../../subgraphs/seo/ai/acknowledgement/privacyPolicy.ts';
import { asking, once, writing } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { owns, type Rule } from '../matrix/rules.ts';
import type { ItemName } from '../world/Item.ts';
import { foreign, notFound } from '../world/meanings.ts';
import { breadthOf } from '../world/people.ts';
import { storeAcknowledgement, storedAcknowledgements } from '../world/storeAi.ts';
import { objectOf } from './objects.ts';

/** Both rules need the breadth `any`. */
const administers: Rule = { kind: 'holds any', permissions: ['seo:admin'] };
const usesAi: Rule = { kind: 'holds any', permissions: ['seo:ai'] };

/** A text that is long enough for suggestions. */
const content = `<p>${'An estate car with a large boot and comfortable seats. '.repeat(7)}</p>`;

/** A dry run, because the address of the provider does not respond. */
const suggesting = (item: ItemName | null): Case => ({
  ...(item && { item }),
  name: item ?? 'inline',
  call: (cell) => {
    const { variable, body } = objectOf(cell);
    const members = { content, locale: 'en', dryRun: true };
    return {
      variables: { input: { ...members, kinds: ['SEO_TITLE'], ...(item && { object: variable }) } },
      body: { ...members, kinds: ['seo_title'], ...(item && { object: body }) },
    };
  },
  meaning: ({ item, who }) => {
    if (item === null || item.name === 'published') return null;
    if (item.where !== 'here') return notFound;
    return owns(who, item) ? null : foreign;
  },
});

/** Revokes a new acknowledgement if the call is allowed, and an existing one otherwise. */
const revoking = (
  name: string,
  { id: make, instead, ...options }: Pick<Case, 'rule' | 'meaning'> & { id?: Make; instead: string },
): Case => ({
  ...options,
  name,
  call: async (cell) => {
    const id = cell.isAnswered && make ? await make(cell) : instead;
    return { ...asking({ id }), variables: { input: { id } } };
  },
});
type Make = (cell: Parameters<Case['call']>[0]) => Promise<string>;

const ofUser = (userId: string) => ({ scope: 'user', userId }) as const;
const ofInstallation = { scope: 'installation', userId: null } as const;

/** Gated suggestions of interface B. */
export const aiOperations: readonly Operation[] = [
  {
    field: 'Query.seoAiSettings',
    rule: administers,
    selection: 'enabled apiKeySet revision',
  },
  {
    field: 'Mutation.updateSeoAiSettings',
    rule: administers,
    selection: 'settings { maxOutputTokens }',
    cases: [once(() => writing({}, { maxOutputTokens: 700 }))],
  },
  {
    field: 'Query.seoAiStatus',
    rule: { kind: 'holds', permission: 'seo:edit' },
    selection: 'enabled acknowledged policyVersion',
  },
  {
    field: 'Mutation.acknowledgeSeoPrivacy',
    rule: usesAi,
    selection: 'acknowledgement { id valid }',
    cases: (['user', 'installation'] as const).map((scope) => ({
      name: `for the ${scope}`,
      rule: scope === 'installation' ? administers : usesAi,
      call: () => writing({}, { policyVersion, scope }, { scope: scope.toUpperCase() }),
    })),
  },
  {
    field: 'Mutation.revokeSeoPrivacyAcknowledgement',
    rule: usesAi,
    selection: 'acknowledgement { id revokedAt }',
    cases: [
      revoking('own', {
        id: ({ world, who }) => storeAcknowledgement(world.shop.installation.id, ofUser(world.ids[who])),
        instead: storedAcknowledgements.somebodys,
      }),
      revoking("somebody else's", {
        id: ({ world }) => storeAcknowledgement(world.shop.installation.id, ofUser(newId('user'))),
        instead: storedAcknowledgements.somebodys,
        meaning: ({ who }) => (breadthOf(who, 'seo:admin') === 'any' ? null : foreign),
      }),
      revoking("the installation's", {
        rule: administers,
        id: ({ world }) => storeAcknowledgement(world.shop.installation.id, ofInstallation),
        instead: storedAcknowledgements.installations,
      }),
      revoking("another installation's", {
        instead: storedAcknowledgements.elsewhere,
        meaning: () => notFound,
      }),
    ],
  },
  {
    field: 'Mutation.seoAiSuggestions',
    rule: usesAi,
    selection: 'dryRun redactions { total } promptPreview',
    cases: [
      suggesting(null),
      ...(['published', 'garage', 'elsewhere', 'never'] as const).map((item) => suggesting(item)),
    ],
    check: (data) => expect(data.dryRun).toBe(true),
  },
];
