import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';
import { periphrasticPassive } from './periphrasticPassive.ts';

const functionWords = wordSet(`
  le la les l' un une des du de d' au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur
  leurs quel quelle quels quelles quelque quelques plusieurs chaque tout toute tous toutes aucun aucune certain
  certaine certains certaines autre autres même mêmes tel telle tels telles
  je j' tu il elle on nous vous ils elles me m' te t' se s' lui y en moi toi soi eux celui celle ceux celles ceci
  cela ça c' qui que qu' quoi dont où lequel laquelle lesquels lesquelles duquel auquel auxquels personne rien
  à dans par pour sur sous avec sans chez vers entre contre depuis pendant avant après dès jusque jusqu' jusqu'à
  selon malgré parmi hors derrière devant durant envers outre sauf afin via près loin lors
  et ou mais donc or ni car si comme quand lorsque lorsqu' puisque puisqu' parce quoique quoiqu' tandis
  ne n' pas plus moins très trop peu assez aussi bien ici là alors encore déjà toujours jamais souvent parfois
  puis ensuite enfin non oui ainsi beaucoup tant autant presque surtout seulement comment pourquoi combien voici
  voilà
  être suis es est sommes êtes sont étais était étions étiez étaient fus fut furent serai seras sera serons serez
  seront serais serait serions seriez seraient sois soit soyons soyez soient été étant avoir ai as a avons avez ont
  avais avait avions aviez avaient eu aurai auras aura aurons aurez auront aurais aurait auraient aie ait aient ayant
  fait faire font peut peux peuvent pouvez pouvoir pourra pourrait doit doivent devez devoir va vont
  un deux trois quatre cinq six sept huit neuf dix premier première deuxième`);

const transitionWords = wordSet(`
  ainsi alors aussi auparavant autrement avant bien bref car cependant certes clairement comme
  conséquemment d'abord d'ailleurs d'autant d'emblée davantage deuxièmement donc dorénavant effectivement
  également enfin ensuite évidemment excepté finalement globalement certainement précédemment initialement inversement jadis   lorsque lorsqu' mais malgré manifestement  naturellement néanmoins notamment
  nonobstant or  outre parallèlement pareillement parce plutôt pourtant préalablement premièrement
  primo probablement puis puisque puisqu' quand  quoique quoiqu'
  rapidement réciproquement récemment secundo semblablement sauf selon seulement si similairement sinon soit
  soudain subséquemment surtout tandis  tantôt tertio  toutefois troisièmement`);
const transitionPhrases = phraseList(`
  à cause de|à ce propos|à cet effet|à cet égard|à condition que|à l'exception de|à l'inverse|à l'opposé|à la fin|
  à la suite de|à mesure que|à moins que|à partir de|à première vue|à propos de|à savoir|à titre d'exemple|
  à vrai dire|afin de|afin que|ainsi que|alors que|après cela|après que|après quoi|après tout|contrairement à|contrairement au|contrairement aux|au cas où|au contraire|
  au début|au départ|au fond|au final|au lieu de|au moins|au moment où|au point que|au sujet de|aussi bien que|
  aussitôt que|autant que|autrement dit|avant que|avant tout|bien entendu|bien que|bien sûr|c'est à dire|
  c'est pourquoi|c'est ainsi que|cela dit|cela étant|comme si|comme suit|comparé à|compte tenu|d'autant plus|
  d'autre part|d'une part|d'un côté|d'un autre côté|d'une certaine manière|d'un autre point de vue|dans ce but|
  dans ce cas|dans ce contexte|dans ces conditions|dans l'ensemble|dans la mesure où|dans le but de|dans le cas|
  dans le même temps|dans tous les cas|de ce fait|de cette façon|de cette manière|de façon que|de fait|
  de la même manière|de la même façon|de manière que|de même|de plus|de plus en plus|de surcroît|de sorte que|
  de telle sorte|de toute évidence|de toute façon|de toute manière|de toutes façons|dès lors|dès que|depuis que|
  du coup|du fait de|du moins|du reste|en attendant|en bref|en ce qui concerne|en ce sens|en cela|en cas de|
  en comparaison|en conclusion|en conséquence|en d'autres termes|en définitive|en dépit de|en dernier lieu|
  en deuxième lieu|en effet|en fait|en fin de compte|en général|en gros|en l'occurrence|en outre|
  en particulier|en parallèle|en premier lieu|en principe|en raison de|en réalité|en règle générale|en résumé|
  en revanche|en somme|en tout cas|en un mot|en vue de|encore une fois|entre autres|et puis|étant donné|
  face à|grâce à|il est vrai|il s'ensuit|jusqu'à ce que|jusqu'à présent|mis à part|malgré tout|non seulement|
  ou bien|par ailleurs|par conséquent|par contre|par exemple|par la suite|par rapport à|parce que|parce qu'il|
  parce qu'elle|pas seulement|pendant ce temps|pendant que|plus précisément|plus tard|pour ainsi dire|pour autant|pour cela|pour terminer|
  pour cette raison|pour commencer|pour conclure|pour finir|pour que|pour résumer|pourvu que|quand même|
  quant à|quoi qu'il en soit|sans aucun doute|sans doute|sans oublier|sans quoi|si bien que|sous prétexte|
  sous réserve|suite à|tandis que|tant que|tel que|telle que|tout à fait|tout compte fait|tout d'abord|
  tout de même|une fois que|vu que`);

/** Participles of the irregular verbs that have a passive; endings for gender and number are added. */
const irregularStems = wordSet(`
  fait refait défait satisfait mis remis promis permis soumis admis transmis commis omis émis pris repris compris
  appris surpris entrepris dit redit interdit prédit écrit décrit inscrit prescrit souscrit transcrit ouvert
  couvert recouvert découvert offert souffert construit reconstruit conduit produit reproduit réduit traduit
  introduit détruit instruit séduit déduit cuit peint repeint atteint éteint craint contraint joint rejoint
  plaint teint restreint acquis conquis requis assis exclus inclus clos distrait extrait soustrait`);
const regularParticiple = /^[a-zàâçéèêëîïôûùüœ]{2,24}(?:é|i|u)e?s?$/;
/** Verbs that build their past with "être", and adjectives, nouns or adverbs with such endings. */
const notParticiples = wordSet(`
  allé arrivé entré rentré resté retourné tombé monté passé décédé né mort venu devenu revenu parvenu intervenu
  survenu provenu parti sorti descendu apparu disparu reparti reparu demeuré
  ainsi aussi ici parmi lui qui celui oui aujourd'hui ennui demi ami appui merci midi samedi lundi mardi jeudi
  vendredi plus dessus refus jus bus dessous tous vous nous sous menu revenu individu tissu vertu rue vue vie partie
  avenue statue envie pluie étude série industrie économie énergie stratégie technologie garantie copie
  très après auprès près dès progrès accès succès procès côté santé beauté liberté qualité société sécurité vérité
  propriété réalité possibilité capacité priorité carré âgé aisé spontané instantané simultané année journée idée
  soirée entrée durée armée joli poli gris vrai hardi bleu feu peu lieu jeu nouveau eau mieux vieux curieux précis
  indécis exquis gentil bas pas cas repas gros frais mais jamais désormais dépourvu absolu ambigu aigu continu exigu
  superflu résolu passionné motivé expérimenté situé`);

function base(form: string): string {
  return form.replace(/e?s?$/, '');
}

/** No participle ends like `parfois` and `pourquoi`. */
const adverb = /oi?s?$/;

function isParticiple(form: string): boolean {
  if (adverb.test(form)) return false;
  if (notParticiples.has(form) || notParticiples.has(base(form))) return false;
  if (
    irregularStems.has(form) ||
    irregularStems.has(base(form)) ||
    irregularStems.has(form.replace(/e?s?$/, 's'))
  ) {
    return true;
  }
  return regularParticiple.test(form);
}

const auxiliaries = wordSet(`
  être suis es est sommes êtes sont étais était étions étiez étaient fus fut fûmes furent serai seras sera serons
  serez seront serais serait serions seriez seraient sois soit soyons soyez soient fût été étant c'est n'est n'était
  n'étaient n'êtes qu'est c'était d'être l'est`);
const between = wordSet(`
  pas plus jamais aussi bien toujours déjà encore souvent parfois ainsi alors donc très tous toutes tout également
  désormais enfin ensuite seulement rapidement aujourd'hui hier ici peu mal mieux ne par exemple elle il ils elles on
  été puis même notamment surtout`);

export const french: LanguageData = {
  code: 'fr',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['ni', 'ni'],
      ['soit', 'soit'],
      ['tantôt', 'tantôt'],
      ['non', 'mais'],
      ['plus', 'plus'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple,
    mayStandBetween: (form) => between.has(form) || (form.endsWith('ment') && form.length > 6),
    degreeWords: wordSet('très trop si plus moins assez le la les un une des'),
    excludedBefore: wordSet("se s' me m' te t' nous vous"),
    window: 3,
  }),
  readingEase: {
    source:
      'Kandel and Moles 1958, Application de l’indice de Flesch: 207 - 1.015 words/sentence - 73.6 syllables/word',
    score: (wordsPerSentence, syllablesPerWord) => 207 - 1.015 * wordsPerSentence - 73.6 * syllablesPerWord,
    countSyllables: countVowelGroups({
      vowels: 'aeiouyàâäéèêëîïôöûùüœæ',
      hiatus: /é[aàâeiou]|[aou]é|[aou]ï|[ao]ë|(?<=[bcdfgptv][lr])i[eéo]|[aeo]y[aeéo]/g,
      // Glides ("nation", "spécial") stay one syllable; only the mute e at the end is removed.
      silentEnd: /[bcdfghjklmnpqrstvwxzç]es?$/,
    }),
  },
  genericAnchors: phraseSet(`
    ici|cliquez ici|cliquer ici|clique ici|cliquez|lien|ce lien|cette page|ce site|site|page|plus|en savoir plus|
    savoir plus|lire la suite|lire plus|lire|lire l'article|voir|voir plus|voir ici|voir la suite|plus d'infos|
    plus d'informations|informations|infos|détails|plus de détails|suite|la suite|suivant|continuer|découvrir|
    découvrez|télécharger|ouvrir|aller|commencer|par ici|c'est ici|afficher|afficher plus|retour`),
  lightStarters: wordSet(
    "le la les l' un une des du ce cet cette ces deux trois quatre cinq six sept huit neuf dix",
  ),
  abbreviations: wordSet(`
    m mm mme mlle dr pr prof me st ste av env janv févr avr juil sept oct nov déc cf p.ex ex tél boul bd chap vol`),
  ordinalFollowers: new Set(),
};
