import type { Profile } from '../../contract.ts';
import type { Check, Finding } from '../Check.ts';
import { readStructuredData, type StructuredData } from './readStructuredData.ts';
import { isMainType, missingProperties } from './schemaRules.ts';

function rateStructuredData({ nodes, unreadable }: StructuredData, profile: Profile): Finding | null {
  if (unreadable > 0) {
    const text = 'Some structured data cannot be parsed. Correct its JSON and give every node an @type.';
    return { rating: 'bad', code: 'unreadable', value: { unreadable }, params: { unreadable }, text };
  }
  const main = nodes.filter((node) => isMainType(node, profile));
  if (main.length === 0) return null;
  if (main.length > 1) {
    const text = `The structured data has ${main.length} nodes of the page's main type. Keep one.`;
    return {
      rating: 'bad',
      code: 'duplicate',
      value: { nodes: main.length },
      params: { nodes: main.length },
      text,
    };
  }
  const [node] = main;
  const { required, recommended } = node
    ? missingProperties(node, profile)
    : { required: [], recommended: [] };
  const value = { required, recommended };
  if (required.length > 0) {
    const text = `The structured data lacks required properties: ${required.join(', ')}. Add them.`;
    return { rating: 'bad', code: 'required_missing', value, params: value, text };
  }
  if (recommended.length > 0) {
    const text = `The structured data lacks recommended properties: ${recommended.join(', ')}. Add those you know.`;
    return { rating: 'ok', code: 'recommended_missing', value, params: value, text };
  }
  return { rating: 'good', code: 'good', value, text: 'The structured data is complete.' };
}

export const schemaValid: Check = {
  id: 'schema.valid',
  group: 'technical',
  title: 'Valid structured data',
  description:
    'Structured data needs the required properties of its type, and only one node of the main type per page.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate(context) {
    return (
      rateStructuredData(readStructuredData(context), context.profile) ?? { notApplicable: 'schema_unknown' }
    );
  },
};
