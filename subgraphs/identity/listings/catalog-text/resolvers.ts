import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { catalogTextsJob } from './keepTexts.ts';
import { CatalogLanguagesModel, CatalogTextModel } from './model.ts';

/** What readers get of listings in other languages; it is searched by its words, and shown by the translation subgraph. */
export const catalogText: Resource = {
  models: [CatalogTextModel, CatalogLanguagesModel],
  jobs: [catalogTextsJob],
};
