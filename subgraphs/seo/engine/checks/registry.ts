import type { Check } from './Check.ts';
import { contentDuplicate } from './content/contentDuplicate.ts';
import { contentLength } from './content/contentLength.ts';
import { contentPlaceholder } from './content/contentPlaceholder.ts';
import { headingsH1 } from './content/headingsH1.ts';
import { headingsOrder } from './content/headingsOrder.ts';
import { headingsQuality } from './content/headingsQuality.ts';
import { imagesAlt } from './content/imagesAlt.ts';
import { imagesPresent } from './content/imagesPresent.ts';
import { keyphraseCompetingLinks } from './keyphrase/keyphraseCompetingLinks.ts';
import { keyphraseDensity } from './keyphrase/keyphraseDensity.ts';
import { keyphraseDistribution } from './keyphrase/keyphraseDistribution.ts';
import { keyphraseFunctionWordsOnly } from './keyphrase/keyphraseFunctionWordsOnly.ts';
import { keyphraseInImageAlt } from './keyphrase/keyphraseInImageAlt.ts';
import { keyphraseInIntroduction } from './keyphrase/keyphraseInIntroduction.ts';
import { keyphraseInMetaDescription } from './keyphrase/keyphraseInMetaDescription.ts';
import { keyphraseInSeoTitle } from './keyphrase/keyphraseInSeoTitle.ts';
import { keyphraseInSlug } from './keyphrase/keyphraseInSlug.ts';
import { keyphraseInSubheadings } from './keyphrase/keyphraseInSubheadings.ts';
import { keyphraseLength } from './keyphrase/keyphraseLength.ts';
import { keyphraseUnique } from './keyphrase/keyphraseUnique.ts';
import { linksAnchorText } from './links/linksAnchorText.ts';
import { linksBrokenInternal } from './links/linksBrokenInternal.ts';
import { linksCrawlable } from './links/linksCrawlable.ts';
import { linksInternal } from './links/linksInternal.ts';
import { linksOutbound } from './links/linksOutbound.ts';
import { listsPresent } from './readability/listsPresent.ts';
import { paragraphsLength } from './readability/paragraphsLength.ts';
import { passiveShare } from './readability/passiveShare.ts';
import { readingEase } from './readability/readingEase.ts';
import { sentencesBeginnings } from './readability/sentencesBeginnings.ts';
import { sentencesLength } from './readability/sentencesLength.ts';
import { subheadingsDistribution } from './readability/subheadingsDistribution.ts';
import { textAlignment } from './readability/textAlignment.ts';
import { transitionsShare } from './readability/transitionsShare.ts';
import { metaLength } from './snippet/metaLength.ts';
import { metaPresent } from './snippet/metaPresent.ts';
import { metaUnique } from './snippet/metaUnique.ts';
import { slugFormat } from './snippet/slugFormat.ts';
import { titlePresent } from './snippet/titlePresent.ts';
import { titleUnique } from './snippet/titleUnique.ts';
import { titleWidth } from './snippet/titleWidth.ts';
import { canonicalValid } from './technical/canonicalValid.ts';
import { hreflangValid } from './technical/hreflangValid.ts';
import { productIdentifier } from './technical/productIdentifier.ts';
import { productOffer } from './technical/productOffer.ts';
import { robotsIndexable } from './technical/robotsIndexable.ts';
import { schemaPresent } from './technical/schemaPresent.ts';
import { schemaValid } from './technical/schemaValid.ts';
import { socialOg } from './technical/socialOg.ts';

/** All checks, in the order of the result. A new check is a file and a line here. */
export const checks: readonly Check[] = [
  keyphraseLength,
  keyphraseInSeoTitle,
  keyphraseInIntroduction,
  keyphraseDensity,
  keyphraseDistribution,
  keyphraseInMetaDescription,
  keyphraseInSubheadings,
  keyphraseInSlug,
  keyphraseInImageAlt,
  keyphraseUnique,
  keyphraseCompetingLinks,
  keyphraseFunctionWordsOnly,
  titlePresent,
  titleWidth,
  titleUnique,
  metaPresent,
  metaLength,
  metaUnique,
  slugFormat,
  contentLength,
  contentPlaceholder,
  contentDuplicate,
  headingsH1,
  headingsOrder,
  headingsQuality,
  imagesPresent,
  imagesAlt,
  linksInternal,
  linksOutbound,
  linksAnchorText,
  linksCrawlable,
  linksBrokenInternal,
  robotsIndexable,
  canonicalValid,
  hreflangValid,
  socialOg,
  schemaPresent,
  schemaValid,
  productIdentifier,
  productOffer,
  sentencesLength,
  subheadingsDistribution,
  paragraphsLength,
  transitionsShare,
  passiveShare,
  sentencesBeginnings,
  readingEase,
  textAlignment,
  listsPresent,
];
