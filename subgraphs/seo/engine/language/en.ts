import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';
import { periphrasticPassive } from './periphrasticPassive.ts';

const pronouns = wordSet(`
  i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
  we us our ours ourselves they them their theirs themselves who whom whose which what that this these those
  someone somebody something anyone anybody anything everyone everybody everything nobody nothing none
  one ones whoever whatever whichever each other another`);
const auxiliaries = wordSet(`
  am is are was were be been being have has had having do does did doing done can could may might must shall
  should will would ought get gets got gotten getting let lets
  i'm you're he's she's it's we're they're that's there's here's what's who's let's i've you've we've they've
  i'd you'd he'd she'd it'd we'd they'd i'll you'll he'll she'll it'll we'll they'll
  isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't cannot couldn't mustn't needn't
  shan't shouldn't won't wouldn't ain't`);
const functionWords = wordSet(`
  a an the of in on at by for from to into onto with without within about above across after against along
  amid among amongst around as before behind below beneath beside besides between beyond but concerning despite
  down during except inside like near off out outside over past per regarding round since than through
  throughout till toward towards under underneath until unlike up upon via versus vs
  and or nor so yet if unless whether because although though while whereas when whenever where wherever why how
  not no yes also too very just only even still already again ever never always often sometimes usually rather
  quite almost then there here now once thus hence therefore however more most less least much many few fewer
  several some any all both either neither enough such same own every else both two three four five six seven
  eight nine ten first second third`);

const transitionWords = wordSet(`
  accordingly additionally afterwards also alternatively although anyway because besides but certainly clearly
  consequently conversely despite earlier equally especially eventually finally first firstly furthermore
  generally hence henceforth however importantly incidentally indeed initially instead last lastly later
  likewise meanwhile moreover namely naturally nevertheless next nonetheless notably obviously originally
  otherwise overall particularly plus previously primarily rather regardless second secondly similarly
  simultaneously since so specifically still subsequently then therefore thereby thereafter third thirdly
  though thus ultimately undoubtedly unfortunately unless unlike until usually when whenever whereas whether
  while yet`);
const transitionPhrases = phraseList(`
  above all|after all|after that|all in all|all things considered|along with|apart from|as a consequence|
  as a result|as a rule|as an example|as an illustration|as in|as far as|as long as|as mentioned|as much as|
  as opposed to|as shown|as soon as|as though|as well|as well as|aside from|at first|at last|at least|
  at the moment|at the same time|at this point|because of|before that|by all means|by comparison|by contrast|
  by the time|by the way|compared to|compared with|due to|equally important|even if|even so|even though|
  except for|first of all|for example|for instance|for now|for one thing|for that reason|for the most part|
  for the time being|for this purpose|for this reason|from now on|given that|if not|if so|in addition|in any case|
  in any event|in brief|in case|in comparison|in conclusion|in contrast|in detail|in essence|in fact|in general|
  in light of|in many cases|in most cases|in no time|in order that|in order to|in other words|in particular|
  in reality|in short|in sum|in summary|in that case|in the beginning|in the end|in the first place|
  in the long run|in the meantime|in the past|in the same way|in this case|in this way|in turn|instead of|
  just as|last but not least|let alone|likely to|more importantly|most importantly|much like|needless to say|
  no matter|not to mention|now that|of course|on account of|on balance|on condition that|on the contrary|
  on the one hand|on the other hand|on the whole|on top of that|once again|other than|out of these|
  prior to|provided that|rather than|regardless of|similar to|so as to|so far|so that|sooner or later|such as|
  thanks to|that is to say|that said|then again|to begin with|to conclude|to illustrate|to put it differently|
  to put it simply|to start with|to sum up|to summarise|to summarize|until now|up to now|what is more|
  with regard to|with that in mind|with this in mind|without a doubt`);

const irregularParticiples = wordSet(`
  arisen awoken beaten begun bent bet bid bitten blown bought bound broken brought built burnt cast caught chosen
  cut dealt done drawn driven drunk dug eaten fed felt fought flown forbidden foreseen forgiven forgotten found
  frozen given grown heard held hidden hit hung hurt kept knit known laid led left lent lit lost made meant met
  mistaken mown offset outdone overcome overheard overridden overseen overtaken overthrown paid proven put quit
  read rebuilt redone reset resold retold rewritten ridden rung run said sawn seen sent set sewn shaken shed
  shone shot shown shut slain slit sold sought spent spilt spoken spread spun stolen stricken struck stuck stung
  sung sunk sworn swept swollen swung taken taught thrown told torn thought typeset undergone understood undertaken
  undone unpaid upheld withdrawn withheld won worn woven wound written wrung born borne overpaid resent
  misled misread misunderstood overdone shaven strewn stridden striven bred spelt spoilt`);
/** Words that look like participles after "be" but name a state, or are not verbs. */
const notParticiples = wordSet(`
  advanced aged alleged beloved blessed bored complicated concerned confused crooked dated delighted
  determined disappointed dedicated doomed excited exhausted experienced frightened frustrated hundred indebted
  indeed interested kindred learned limited married mixed naked need pleased prepared ragged red retired rugged
  sacred satisfied scared seed shed skilled sophisticated speed started stressed surprised talented tired varied
  wed weed wicked worried wretched greed breed bleed creed steed exceed proceed succeed deed heed outdated
  overcrowded`);
const agreeing = wordSet('agreed decreed freed guaranteed refereed');
const regularParticiple = /^[a-z]{2,30}ed$/;
/** "unsupported" and "unused" are states; "unlocked" and "uninstalled" are done by someone. */
const negatedState = /^un(?!cover|der|fold|i|leash|load|lock|pack|plug|subscrib|veil|wrap|zip)/;

function isParticiple(form: string): boolean {
  if (irregularParticiples.has(form)) return true;
  if (notParticiples.has(form) || negatedState.test(form) || !regularParticiple.test(form)) return false;
  return !form.endsWith('eed') || agreeing.has(form);
}

const passiveAuxiliaries = wordSet(`
  am is are was were be been being get gets got gotten getting i'm you're he's she's it's we're they're that's
  there's isn't aren't wasn't weren't`);
const between = wordSet(`
  not never ever also always already just only still often now then soon once even again almost nearly both all
  first further later thus therefore currently hardly barely well fully it he she they we you this these those
  sometimes seldom usually mostly best perhaps maybe yet long newly more less most`);

/** Silent e, the plural and past endings after it, and vowels spoken apart ("idea", "reliable"). */
const countRegular = countVowelGroups({
  vowels: 'aeiouyáàâäéèêëíïóöúü',
  hiatus:
    /ia(?!l|n\b|ge)|io(?!n|us)|(?<!p)eo(?!u)|(?<![gq])ua(?!r|l)|ying|[aeiou]ing|iet|uous|ism$|(?:id|ar)ea/g,
  silentEnd: /[^aeiouyl]e$|[aeiouy]le$|[^aeiouytd]ed$|[^aeiouyscxzgl]es$|[aeiouy]les$/,
});

export const english: LanguageData = {
  code: 'en',
  functionWords: new Set([...pronouns, ...auxiliaries, ...functionWords]),
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['both', 'and'],
      ['either', 'or'],
      ['if', 'then'],
      ['neither', 'nor'],
      ['not', 'only'],
      ['no', 'sooner'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => passiveAuxiliaries.has(form),
    isParticiple,
    mayStandBetween: (form) => between.has(form) || (form.endsWith('ly') && form.length > 4),
    degreeWords: wordSet('very too so more most quite rather less least extremely really a an the'),
    window: 3,
  }),
  readingEase: {
    source: 'Flesch 1948, A new readability yardstick: 206.835 - 1.015 words/sentence - 84.6 syllables/word',
    score: (wordsPerSentence, syllablesPerWord) =>
      206.835 - 1.015 * wordsPerSentence - 84.6 * syllablesPerWord,
    countSyllables: countRegular,
  },
  genericAnchors: phraseSet(`
    click|click here|click this|click this link|here|right here|this|this link|this page|this site|this website|
    link|website|page|go|go here|start|more|more info|more information|more details|details|read|read more|
    read this|learn more|find out more|see more|see here|show more|view more|view|continue|continue reading|next|
    download|open|tap here|check it out|website here`),
  lightStarters: wordSet('a an the this that these those one two three four five six seven eight nine ten'),
  abbreviations: wordSet(`
    mr mrs ms dr prof st rev hon capt col gen lt sgt ed eds approx dept est vs e.g i.e cf ca jan feb mar apr jun jul
    aug sep sept oct nov dec ave blvd rd mt ft`),
  finalAbbreviations: wordSet('inc ltd co corp jr sr bros'),
  ordinalFollowers: new Set(),
};
