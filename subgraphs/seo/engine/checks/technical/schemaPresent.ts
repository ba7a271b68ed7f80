import type { Check } from '../Check.ts';
import { readStructuredData } from './readStructuredData.ts';
import { isMainType, mainTypes } from './schemaRules.ts';

export const schemaPresent: Check = {
  id: 'schema.present',
  group: 'technical',
  title: 'Structured data',
  description: 'With structured data of the right type, search engines can show more than a link.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const { isKnown, nodes } = readStructuredData(context);
    if (!isKnown) return { notApplicable: 'schema_unknown' };
    const types = [...new Set(nodes.flatMap((node) => node.types))].sort();
    if (nodes.some((node) => isMainType(node, context.profile))) {
      return { rating: 'good', code: 'good', value: { types }, text: 'The structured data fits the page.' };
    }
    const wanted = mainTypes(context.profile)[0] ?? '';
    return {
      rating: 'bad',
      code: types.length === 0 ? 'missing' : 'other_type',
      value: { types },
      params: { types, wanted },
      text: `The page has no structured data of the right type. Add a node of type ${wanted} or a similar one.`,
    };
  },
};
