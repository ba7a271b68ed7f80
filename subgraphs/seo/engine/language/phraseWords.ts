import { wordSet } from './LanguageData.ts';

/** Words that show where a noun phrase begins, continues and ends. All forms are lower case. */
export interface PhraseWords {
  /** Words that continue a noun phrase: `de` in "seguro de coche", `of` in "proof of purchase". */
  readonly joiners: ReadonlySet<string>;
  /** Joiners that bind two nouns to one name, so that a text is not cut before them: `de` in "bola de remolque". */
  readonly closeJoiners: ReadonlySet<string>;
  /** Articles and possessives: the word before one is rather a verb, the word after one begins a noun phrase. */
  readonly determiners: ReadonlySet<string>;
  /** Words before a verb: subject pronouns, modal verbs and the mark of the infinitive. */
  readonly beforeVerb: ReadonlySet<string>;
  /** Frequent verbs and their companions, which neither begin nor end a noun phrase. */
  readonly verbs: ReadonlySet<string>;
  /** First words of sentences that refer to the sentence before. */
  readonly backReferences: ReadonlySet<string>;
  /** Whether every noun has a capital, so that a phrase ends with one. */
  readonly capitalNouns: boolean;
}

const none: PhraseWords = {
  joiners: new Set(),
  closeJoiners: new Set(),
  determiners: new Set(),
  beforeVerb: new Set(),
  verbs: new Set(),
  backReferences: new Set(),
  capitalNouns: false,
};

const known = new Map<string, PhraseWords>([
  [
    'en',
    {
      joiners: wordSet('of'),
      closeJoiners: wordSet('of'),
      determiners: wordSet('a an the my your his her its our their'),
      beforeVerb: wordSet(
        "i you we they to can could may might must shall should will would don't doesn't let please not",
      ),
      verbs: wordSet(`
        make makes made sure find use need needs want see learn read click look take takes give gives keep keeps
        come comes go goes buy sell try help helps know show shows offer offers fit fits cost costs choose order
        contact call send enter save start buying selling`),
      backReferences: wordSet(
        'it they he she this these those that but however therefore also so then both all its',
      ),
      capitalNouns: false,
    },
  ],
  [
    'de',
    {
      joiners: wordSet('im in aus für mit von am zum zur'),
      closeJoiners: wordSet('der des von'),
      determiners: wordSet('der die das den dem des ein eine einen einem einer eines mein ihr sein unser'),
      beforeVerb: wordSet('ich du er wir man zu'),
      verbs: new Set(),
      backReferences: wordSet(
        'er sie es dieser diese dieses das dafür dabei damit danach dazu deshalb aber doch auch dann ihre seine',
      ),
      capitalNouns: true,
    },
  ],
  [
    'fr',
    {
      joiners: wordSet("de d' du des à au aux en la"),
      closeJoiners: wordSet("de d' du des"),
      determiners: wordSet('le la les un une des ce cette ces son sa ses notre nos votre vos leur leurs'),
      beforeVerb: wordSet("je j' tu il elle on nous vous ils elles ne n' se s' pour"),
      verbs: wordSet(`
        choisir choisissez trouver trouvez voir acheter achetez vendre vends vérifiez mesurez entrez comparez
        découvrir servez permet offre convient comprend bon bonne`),
      backReferences: wordSet(
        "il elle ils elles cela ce c'est ça ceci mais donc aussi ainsi alors puis ensuite son sa ses",
      ),
      capitalNouns: false,
    },
  ],
  [
    'es',
    {
      joiners: wordSet('de del a al la los las en con'),
      closeJoiners: wordSet('de del'),
      determiners: wordSet('el la los las un una unos unas su sus este esta estos estas nuestro nuestra'),
      beforeVerb: wordSet('yo tú él usted ellos se no para'),
      verbs: wordSet(`
        elegir elija elige comprar compre compra vender vende vendo ver buscar busque encuentre conservar usar mida
        ofrece ofrecemos tiene tienen incluye incluyen buen buena`),
      backReferences: wordSet(
        'él ella ellos ellas este esta esto estos estas eso pero también además así por su sus',
      ),
      capitalNouns: false,
    },
  ],
  [
    'it',
    {
      joiners: wordSet("di del della dei delle dello dell' da a al alla in per"),
      closeJoiners: wordSet("di del della dei delle dello dell'"),
      determiners: wordSet('il lo la i gli le un uno una suo sua suoi sue nostro nostra questo questa'),
      beforeVerb: wordSet('io tu lui lei noi voi loro si non'),
      verbs: wordSet('scegliere scegli scegliete trovare trova comprare compra vendere vendo usare offre'),
      backReferences: wordSet('esso essa essi esse questo questa questi queste ma anche inoltre così quindi'),
      capitalNouns: false,
    },
  ],
  [
    'nl',
    {
      joiners: wordSet('van voor met in op'),
      closeJoiners: wordSet('van'),
      determiners: wordSet('de het een mijn uw je zijn haar ons onze hun deze dit'),
      beforeVerb: wordSet('ik jij je u hij wij we ze te kan kunt moet'),
      verbs: wordSet('kies vind koop kopen verkopen gebruik maak'),
      backReferences: wordSet('hij zij ze het dit deze dat die maar ook daarom dan'),
      capitalNouns: false,
    },
  ],
  [
    'pt',
    {
      joiners: wordSet('de do da dos das em a ao à com'),
      closeJoiners: wordSet('de do da dos das'),
      determiners: wordSet('o a os as um uma seu sua seus suas nosso nossa este esta'),
      beforeVerb: wordSet('eu ele ela nós eles elas se não para'),
      verbs: wordSet('escolha escolher compre comprar vender vendo encontre usar oferece tem'),
      backReferences: wordSet('ele ela eles elas isto isso este esta estes estas mas também assim além'),
      capitalNouns: false,
    },
  ],
]);

/** Returns the words of a language; empty sets if they are unknown, so that only content words form phrases. */
export function findPhraseWords(language: string): PhraseWords {
  return known.get(language) ?? none;
}
