import { buildSubgraph, type Subgraph } from '../platform/subgraph/buildSubgraph.ts';
import { event } from './event/resolvers.ts';
import { language } from './language/resolvers.ts';
import { languageRemoval } from './language-removal/resolvers.ts';
import { relation } from './relation/resolvers.ts';
import { relationHealth } from './relation-health/resolvers.ts';
import { translatable } from './translatable/resolvers.ts';
import { translation } from './translation/resolvers.ts';

/** The translation subgraph, interface C: languages, links between objects that say the same, and translations. */
export function buildTranslation(): Subgraph {
  return buildSubgraph('translation', [
    language,
    languageRemoval,
    relation,
    relationHealth,
    translation,
    translatable,
    event,
  ]);
}
