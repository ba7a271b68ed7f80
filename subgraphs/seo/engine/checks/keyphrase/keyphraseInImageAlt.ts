import { countPhraseWords } from '../../keyphrase/ShortText.ts';
import type { AnalysisContext, PageImage } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { mostPositions } from '../positions.ts';
import { isWithin, roundTo2 } from '../rate.ts';

/** Returns whether an image names the topic. It shows only a part, so half of the content words suffice. */
function namesTopic(context: AnalysisContext, image: PageImage): boolean {
  if (image.alt === null) return false;
  const alt = context.readShortText(image.alt);
  const variants = context.topic?.variants ?? [];
  return variants.some((phrase) => countPhraseWords(alt, phrase) * 2 >= phrase.stems.length);
}

export const keyphraseInImageAlt: Check = {
  id: 'keyphrase.in_image_alt',
  group: 'keyphrase',
  title: 'Keyphrase in image alternative texts',
  description: 'Some images should show the topic, and say so in their alternative text.',
  requires: ['keyphrase', 'images'],
  needs: null,
  forRelated: true,
  evaluate(context) {
    const { fewImages, share } = context.thresholds['keyphrase.in_image_alt'];
    const total = context.images.length;
    const onTopic = context.images.filter((image) => namesTopic(context, image));
    const positions = onTopic.slice(0, mostPositions).map((image) => image.position);
    const value = { images: total, onTopic: onTopic.length, share: roundTo2(onTopic.length / total) };
    const params = { images: total, onTopic: onTopic.length };
    const enough = total < fewImages ? onTopic.length > 0 : isWithin(onTopic.length / total, share);
    if (enough) {
      const text = `${onTopic.length} of ${total} alternative texts name the keyphrase.`;
      return { rating: 'good', code: 'good', value, params, positions, text };
    }
    if (onTopic.length / total > share.max) {
      const text = `${onTopic.length} of ${total} alternative texts name the keyphrase. Describe what each image shows instead.`;
      return { rating: 'ok', code: 'too_many', value, params, positions, text };
    }
    const text = `${onTopic.length} of ${total} alternative texts name the keyphrase or a synonym. Add it where the image shows it.`;
    return { rating: 'ok', code: 'too_few', value, params, positions, text };
  },
};
