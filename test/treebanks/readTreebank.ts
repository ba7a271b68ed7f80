/** A sentence of a treebank, as its annotators split and read it. */
export interface GoldSentence {
  readonly text: string;
  readonly isPassive: boolean;
}

const passiveFeature = /(?:^|\|)(?:Voice|Derivation)=Pass(?:\||$)/;
const passiveRelation = /^(?:aux|nsubj|csubj|expl):pass(?:$|:)/;

/**
 * Reads the sentences of a file in CoNLL-U. A sentence is passive if a word has the feature `Voice=Pass`
 * (`Derivation=Pass` in the Turkish Web Treebank) or a relation of a passive.
 */
export function readTreebank(conllu: string): GoldSentence[] {
  return conllu.split(/\r?\n\r?\n/).flatMap((block): GoldSentence[] => {
    const lines = block.split(/\r?\n/);
    const text = lines
      .find((line) => line.startsWith('# text = '))
      ?.slice('# text = '.length)
      .trim();
    if (!text) return [];
    const isPassive = lines.some((line) => {
      const [id = '#', , , , , features = '', , relation = ''] = line.split('\t');
      return /^\d+$/.test(id) && (passiveFeature.test(features) || passiveRelation.test(relation));
    });
    return [{ text, isPassive }];
  });
}
