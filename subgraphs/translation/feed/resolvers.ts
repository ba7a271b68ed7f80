import { outboxSource, relay } from '../../platform/events/relay.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { LanguageSettingsModel } from '../languages/language/model.ts';
import { RelationGroupModel, type StoredGroup } from '../records/memberships/model.ts';
import { TranslationModel } from '../records/model.ts';
import { collecting } from './collecting.ts';
import { describeSettings } from './describeSettings.ts';
import { describeTranslations } from './describeTranslations.ts';

/** Describes groups. A group has no texts: its entries state the objects that a change concerns. */
const describeGroups = async (groups: readonly StoredGroup[]) =>
  groups.map(({ _id, version }) => ({
    object: { type: 'relation' as const, id: _id },
    contentVersion: version,
    content: null,
  }));

/**
 * Delay in milliseconds. Editors link and translate many objects consecutively, and readers do not need the results
 * immediately.
 */
const collectMs = 100;

/** Lists everything that the subgraph publishes. Each collection with an outbox has a line here. */
const told = relay('translation', [
  outboxSource(LanguageSettingsModel, describeSettings),
  outboxSource(RelationGroupModel, describeGroups),
  outboxSource(TranslationModel, describeTranslations),
]);

export const event: Resource = { jobs: [collecting(told, collectMs)] };
