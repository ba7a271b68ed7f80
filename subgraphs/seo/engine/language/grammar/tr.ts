import { phraseList, wordSet } from '../LanguageData.ts';
import { type Grammar, wordPassive } from './Grammar.ts';

const tense =
  '(?:d[ıiuü](?!r)|m[ıiuü]ş|[ıiuü]yor|[ae]ca[kğ]|[ae]ce[kğ]|[ıiuü]r|m[ae]kt[ae]|m[ae]l[ıi]|m[ae]d[ıi]|m[ae]z|m[ıiuü]yor|[ae]bil)';
const ending = '(?:[a-zçğıöşü]{0,6})';
/**
 * The suffix -il marks the passive: satıldı, yapılıyor. Two letters before it exclude roots such as "bildi"; -ebil is
 * the ability ("alabilir"), and -dir the copula of a noun ("yeşildir").
 */
const withIl = new RegExp(`^[a-zçğıöşü]{2,20}(?<![ae]b)[ıiuü]l${tense}${ending}$`);
/** Stems with -il that are no passives. */
const notIl =
  /^(?:değil|yeşil|nasıl|okul|profil|(?:oto)?mobil|ayrıl|katıl|yorul|bayıl|sarıl|üzül|sıkıl|darıl|yanıl|kurtul|doğrul|bükül|eğil|sokul|yayıl|dağıl|devril|kesil|incil|çekil|güzel|atıl|kırıl|bozul|açıl|diril|sivil|nitelik)/;
/** Stems with -n, which is the reflexive as well, so only these are reported. */
const withIn = new RegExp(
  `^(?:alın|bulun|boyan|temizlen|hazırlan|planlan|yenilen|incelen|onaylan|tamamlan|sağlan|uygulan|denetlen|ödenen|öden|tanımlan|listelen|güncellen|yayınlan|yayımlan|belirlen|düzenlen|desteklen|üretilen|kullanıl)${tense}${ending}$`,
);
/** "Is located" is not the passive of "find". */
const notIn = /^bulun(?:uyor|ur|makta|maz|mu)/;

export const turkish: Grammar = {
  transitions: {
    words: wordSet(`
      ama ancak fakat lakin oysa oysaki çünkü zira dolayısıyla böylece böylelikle ayrıca üstelik hatta mesela örneğin
      yani kısacası özetle sonuçta nihayet sonunda öncelikle sonra ardından dahası bununla halbuki yine
      gene mademki madem eğer şayet nitekim aslında genellikle özellikle bilhassa aksine tersine rağmen karşın
      ilkin birincisi ikincisi üçüncüsü iken derken böyleyse öyleyse dolayı nedeniyle sayesinde gelgelelim velhasıl
      neticede meğer`),
    phrases: phraseList(`
      bu nedenle|bu yüzden|bu sebeple|bundan dolayı|bunun için|bunun yanında|bunun yanı sıra|bunun dışında|buna rağmen|
      buna karşın|buna karşılık|bununla birlikte|bununla beraber|öte yandan|diğer yandan|diğer taraftan|bir yandan|
      bir taraftan|her şeyden önce|ilk olarak|ikinci olarak|üçüncü olarak|son olarak|sonuç olarak|örnek olarak|
      başka bir deyişle|bir başka deyişle|diğer bir deyişle|ne var ki|ne yazık ki|oysa ki|kaldı ki|ya da|o halde|
      bu durumda|bu noktada|aksi halde|aksi takdirde|aynı zamanda|aynı şekilde|benzer şekilde|bu arada|bu sırada|daha sonra|
      bundan sonra|ondan sonra|daha önce|en azından|en önemlisi|genel olarak|kısaca söylemek gerekirse|tam tersine|
      bunun sonucunda|bunun aksine|bunun üzerine|şu halde|başta olmak üzere|söz konusu|bu bağlamda|bu açıdan`),
    pairs: [
      ['hem', 'hem'],
      ['ne', 'ne'],
      ['ya', 'ya'],
      ['gerek', 'gerek'],
      ['ister', 'ister'],
    ],
  },
  findPassives: wordPassive(
    (form) => (withIl.test(form) && !notIl.test(form)) || (withIn.test(form) && !notIn.test(form)),
  ),
};
