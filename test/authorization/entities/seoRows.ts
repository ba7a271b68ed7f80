import type { Rule } from '../matrix/rules.ts';
import { namesOf } from '../world/Item.ts';
import { breadthOf } from '../world/people.ts';
import { auditItemOf } from '../world/storeAuditJob.ts';
import type { EntityRow } from './EntityRow.ts';
import { anyIdentity, itemsOf, known } from './readers.ts';

const editsSeo: Rule = { kind: 'holds', permission: 'seo:edit', reach: 'not_found' };

/** Entities of seo. */
export const seoRows: readonly EntityRow[] = [
  ...(['Listing', 'Dealer', 'Page'] as const).flatMap((type): EntityRow[] => [
    {
      subgraph: 'seo',
      type,
      fields: { seo: '{ keyphrase }' },
      items: itemsOf[type],
      rule: editsSeo,
      scope: 'content:seo',
      check: ({ seo }, { world }) => expect(seo.keyphrase).toBe(world.secret),
    },
    {
      subgraph: 'seo',
      type,
      fields: 'the rest',
      items: itemsOf[type],
      rule: anyIdentity,
    },
  ]),
  ...(['SeoRecord', 'SeoAnalysisSnapshot'] as const).map(
    (type): EntityRow => ({
      subgraph: 'seo',
      type,
      fields: 'the rest',
      items: ['garage', 'private', 'elsewhere', 'never', 'dealer', 'dealerElsewhere', 'page'],
      key: ({ item }) => ({ id: type === 'SeoRecord' ? item.recordId : item.snapshotId }),
      // A reference to a missing record is null, not a refusal.
      rule: ({ item }) => (item.where === 'here' ? editsSeo : { kind: 'holds', permission: 'seo:edit' }),
      scope: 'content:seo',
      check: known(({ item }) => item.where === 'here'),
    }),
  ),
  ...(['SeoAuditJob', 'SeoAuditItem'] as const).map(
    (type): EntityRow => ({
      subgraph: 'seo',
      type,
      fields: 'the rest',
      items: namesOf('auditJob'),
      key: ({ item: { id } }) => ({ id: type === 'SeoAuditJob' ? id : auditItemOf(id) }),
      rule: ({ item, who }) =>
        item.where === 'here' && breadthOf(who, 'seo:admin') === 'any'
          ? { kind: 'self', who: 'administrator' }
          : { kind: 'holds any', permissions: ['seo:admin'] },
      check: known(({ item }) => item.where === 'here'),
    }),
  ),
];
