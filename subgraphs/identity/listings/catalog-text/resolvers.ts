import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { catalogTextsJob } from './keepTexts.ts';
import { CatalogLanguagesModel, CatalogTextModel } from './model.ts';

/** Translated texts of listings. The catalogue searches them, and the translation subgraph shows them. */
export const catalogText: Resource = {
  models: [CatalogTextModel, CatalogLanguagesModel],
  jobs: [catalogTextsJob],
};
