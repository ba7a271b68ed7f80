import { outboxSource, relay } from '../../platform/events/relay.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { LanguageSettingsModel } from '../language/model.ts';
import { RelationGroupModel, type StoredGroup } from '../relation/model.ts';
import { TranslationModel } from '../translation/model.ts';
import { describeSettings } from './describeSettings.ts';
import { describeTranslations } from './describeTranslations.ts';

/** A group has no words: its entries say which objects a change concerns. */
const describeGroups = async (groups: readonly StoredGroup[]) =>
  groups.map(({ _id, version }) => ({
    object: { type: 'relation' as const, id: _id },
    contentVersion: version,
    content: null,
  }));

/** Everything that the subgraph tells others: a collection with an outbox is a line here. */
export const event: Resource = {
  jobs: [
    relay('translation', [
      outboxSource(LanguageSettingsModel, describeSettings),
      outboxSource(RelationGroupModel, describeGroups),
      outboxSource(TranslationModel, describeTranslations),
    ]),
  ],
};
