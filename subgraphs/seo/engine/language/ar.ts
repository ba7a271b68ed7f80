import type { ClauseWord, FindPassives, WordRange } from './LanguageData.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';

const functionWords = wordSet(`
  أنا أنت أنتم أنتما أنتن هو هي هما هم هن نحن هذا هذه هذان هذين هؤلاء ذلك تلك أولئك ذاك الذي التي اللذان اللتان الذين
  اللاتي اللواتي من ما ماذا متى أين كيف كم أي أية لماذا
  في على إلى عن مع من منذ حتى بين عند عندما لدى أمام خلف فوق تحت قبل بعد حول خلال ضد دون بدون عبر نحو داخل خارج مثل
  سوى غير به بها بهم له لها لهم لنا لك لي فيه فيها فيهم منه منها منهم عليه عليها عليهم إليه إليها عنه عنها معه معها
  لديه لديها بينهما
  و أو أم ثم ف بل لكن ولكن لأن أن إن إذا إذ لو كي لكي حيث كما كأن بأن لأنه لأنها أنه أنها أنهم إنه إنها وإن فإن وأن
  لا لم لن ليس ليست ما قد لقد سوف هل إلا فقط أيضا أيضًا جدا جدًا كل جميع بعض معظم كلا كلتا نفس ذات أكثر أقل هنا هناك
  الآن ثمة كذلك هكذا ربما دائما دائمًا أبدا أبدًا كان كانت كانوا يكون تكون يكونوا تكن يكن كنت كنا سيكون ستكون أصبح
  أصبحت صار ظل بات مازال زال يمكن تم يتم تتم يجب ينبغي وهو وهي وهم وهذا وهذه وذلك والذي والتي ومن وفي وعلى ومع وإلى
  وما ولا ولم ولن وكان وكانت وقد فقد كما وكما بما بهذا بهذه لهذا لهذه واحد واحدة اثنان اثنين ثلاثة أربعة خمسة ستة سبعة
  ثمانية تسعة عشرة أول أولى ثاني ثانية`);

/** Adds forms with an attached conjunction: `ولكن`, `فلذلك`. */
function withConjunctions(words: Iterable<string>): Set<string> {
  return new Set([...words].flatMap((word) => [word, `و${word}`, `ف${word}`]));
}

const transitionWords = withConjunctions(
  wordSet(`
  لكن لكنه لكنها لكنهم لأن لأنه لأنها لأنهم لذلك لذا لهذا هكذا كذلك أيضا أيضًا أولا أولًا ثانيا ثانيًا ثالثا ثالثًا
  رابعا رابعًا أخيرا أخيرًا بالتالي ثم بينما عندما حينما حين كلما طالما لطالما إذ إذن إذا لو لولا رغم برغم مثلا مثلًا
  بل بعدها قبلها لاحقا لاحقًا سابقا سابقًا حاليا حاليًا مؤخرا مؤخرًا أحيانا أحيانًا غالبا غالبًا عادة فعلا فعلًا حقا
  حقًا بالفعل بالطبع طبعا طبعًا خاصة خصوصا خصوصًا لاسيما عموما عمومًا إجمالا ختاما ختامًا باختصار بالمقابل بالعكس
  بالإضافة إضافة فضلا فضلًا علاوة نتيجة بسبب نظرا نظرًا خلافا خلافًا وفقا وفقًا بعدما قبلما حيثما منذ ريثما كي لكي
  كيلا لئلا حتى إنما كما كأن أي يعني تحديدا تحديدًا بالتحديد بالأخص بالنهاية بدلا بدلًا عوضا عوضًا مقارنة بالمقارنة
  مهما أينما أثناء خلال بالرغم بمعنى بذلك بهذا فورا فورًا`),
);
const transitionPhrases = phraseList(`
  على الرغم|على سبيل المثال|على العكس|على الأقل|على الأرجح|على أية حال|على أي حال|على عكس|على وجه الخصوص|
  على وجه التحديد|على هذا الأساس|على حد سواء|على نحو|من ناحية|من ناحية أخرى|من جهة|من جهة أخرى|من ثم|ومن ثم|
  من أجل|من أجل ذلك|من هنا|من هذا المنطلق|من الواضح|من المؤكد|من المهم|من خلال|من الآن فصاعدا|في الواقع|
  في الحقيقة|في المقابل|في النهاية|في نهاية المطاف|في نهاية الأمر|في البداية|في حين|في غضون|في هذه الحالة|في هذه الأثناء|
  في هذا الصدد|في هذا السياق|في الوقت نفسه|في الوقت ذاته|في نفس الوقت|في الختام|في المجمل|في ضوء|في حال|في حالة|
  في الأساس|في الغالب|في كل الأحوال|في أغلب الأحيان|إلى جانب|إلى حد|إلى أن|إلى ذلك|بالإضافة إلى|إضافة إلى ذلك|
  علاوة على ذلك|فضلا عن|فضلاً عن|ناهيك عن|بما أن|بما في ذلك|بعبارة أخرى|بمعنى آخر|بكلمات أخرى|بصفة عامة|بشكل عام|
  بشكل خاص|بصورة عامة|بغض النظر|بناء على|بناءً على|بهذه الطريقة|بعد ذلك|قبل ذلك|مع ذلك|ومع ذلك|مع أن|مع هذا|
  مع العلم|نتيجة لذلك|نظرا لأن|تبعا لذلك|وفقا لذلك|لهذا السبب|لهذه الأسباب|لذلك السبب|خلاصة القول|خلاصة الأمر|
  أضف إلى ذلك|كما أن|كما هو|كما ذكر|ما دام|ما لم|منذ ذلك الحين|حتى الآن|حتى لو|حتى ذلك الحين|ذلك لأن|ذلك أن|
  غير أن|إلا أن|بيد أن|سواء كان|طالما أن|لا سيما|لا شك|ليس فقط|مرة أخرى|وجدير بالذكر|والجدير بالذكر|أولا وقبل كل شيء|
  قبل كل شيء|بادئ ذي بدء|وبناء على ذلك|وعلى الرغم|وفي النهاية|وفي المقابل|وفي الواقع|وعلى سبيل المثال|ونتيجة لذلك|
  وبالإضافة إلى|ومن ناحية|ومن جهة|وفي الوقت نفسه|وبعد ذلك|وبالتالي`);

/** "It was completed": followed by a verbal noun this is the everyday passive (تم بيع السيارة). */
const completions = withConjunctions(wordSet('تم تمت يتم تتم سيتم ستتم تمّ تمّت يتمّ تتمّ سيتمّ'));
const beforeNothing = wordSet('في من على إلى مع عن أن هذا هذه ذلك تلك له لها لهم به بها');
const article = /^(?:ال|وال|بال|لل)/;
/** Derived verbs of form X whose first vowel is written u: only the passive has it (يُستخدم against يَستخدم). */
const formTen = /^[وف]?س?[يتن]\u064fست/;
/** Matches a perfect with the vowels u and i on its first radicals (كُتِب, اُستُخدِم); active forms never have them. */
const vowelledPerfect =
  /^[وف]?(?:(?![يتن]\u064f)\p{L}\u0651?\u064f\p{L}\u0651?\u0652?\u064f?|\p{L}\u0651?\u064f)\p{L}\u0651?\u0650\u0651?\p{L}/u;
/**
 * Matches a present with u on its prefix and a on a later radical (يُولَّد, تُجمَع). An active form with u has i there
 * (يُعرِّف). A mark of doubling may stand on either side of the vowel.
 */
const vowelledPresent = /^[وف]?س?[يتن]\u064f[^\u0650]{1,16}\u064e\u0651?\p{L}[^\u0650]{0,16}$/u;
/** Present passives that writers mark with the first vowel, because the active form looks the same. */
const marked = withConjunctions(
  wordSet(`
  يُعتبر تُعتبر يُعد تُعد يُعدّ تُعدّ يُقال يُذكر تُذكر يُسمى تُسمى يُسمّى تُسمّى يُعرف تُعرف يُطلق تُطلق يُكتب تُكتب يُقرأ تُقرأ
  يُباع تُباع يُصنع تُصنع يُنصح يُفضل تُفضل يُفضّل تُفضّل يُوصى يُطلب تُطلب يُسمح يُمنع تُمنع يُضاف تُضاف يُقدر تُقدر يُوجد
  تُوجد يُرجى يُشار يُدعى تُدعى يُحسب تُحسب يُعرض تُعرض يُنظر يُتوقع يُحتمل يُفهم تُفهم يُقصد تُستعمل تُجرى يُجرى`),
);

/** Returns whether the written vowels of a verb are those of a passive. */
function isVowelled(form: string): boolean {
  return vowelledPresent.test(form) || vowelledPerfect.test(form);
}

/**
 * Finds passives. Short vowels are rarely written, so most synthetic passives look like active forms and are not
 * reported. Reported are completion verbs with a verbal noun, and forms with written passive vowels.
 */
const findPassives: FindPassives = (sentence: readonly ClauseWord[]): WordRange[] => {
  const found: WordRange[] = [];
  sentence.forEach(({ form }, index) => {
    const next = sentence[index + 1];
    if (completions.has(form)) {
      const isNoun =
        next && !next.afterPunctuation && !beforeNothing.has(next.form) && !article.test(next.form);
      if (isNoun) found.push({ first: index, last: index + 1 });
    } else if (marked.has(form) || formTen.test(form) || isVowelled(form)) {
      found.push({ first: index, last: index });
    }
  });
  return found;
};

export const arabic: LanguageData = {
  code: 'ar',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['إما', 'أو'],
      ['إما', 'وإما'],
      ['كلما', 'كلما'],
      ['سواء', 'أو'],
      ['سواء', 'أم'],
      ['لا', 'بل'],
      ['ليس', 'بل'],
      ['أما', 'فإن'],
    ],
  },
  findPassives,
  readingEase: null,
  genericAnchors: phraseSet(`
    هنا|اضغط هنا|انقر هنا|إضغط هنا|أنقر هنا|اضغط|انقر|من هنا|هذا الرابط|الرابط|رابط|هذه الصفحة|الصفحة|الموقع|هذا الموقع|
    المزيد|اقرأ المزيد|اقرأ أكثر|إقرأ المزيد|لمزيد من المعلومات|مزيد من المعلومات|المزيد من المعلومات|معرفة المزيد|
    اعرف المزيد|لمعرفة المزيد|التفاصيل|تفاصيل|المزيد من التفاصيل|عرض المزيد|شاهد المزيد|شاهد|عرض|التالي|متابعة|
    تابع القراءة|اكمل القراءة|ابدأ|اذهب|تحميل|تنزيل|حمل الآن|افتح|رجوع`),
  lightStarters: wordSet('هذا هذه هؤلاء ذلك تلك واحد واحدة اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة'),
  abbreviations: wordSet('د أ م ص ج هـ ق.م ب.م'),
  ordinalFollowers: new Set(),
};
