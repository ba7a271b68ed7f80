import { buildSubgraph, type Subgraph } from '../platform/subgraph/buildSubgraph.ts';
import { translatable } from './entities/translatable/resolvers.ts';
import { event } from './feed/resolvers.ts';
import { language } from './languages/language/resolvers.ts';
import { languageRemoval } from './relations/language-removal/resolvers.ts';
import { relation } from './relations/relation/resolvers.ts';
import { relationHealth } from './relations/relation-health/resolvers.ts';
import { translation } from './translations/translation/resolvers.ts';

/**
 * Builds the translation subgraph, interface C: languages, links between objects with the same content, and
 * translations.
 */
export default function buildTranslation(): Subgraph {
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
