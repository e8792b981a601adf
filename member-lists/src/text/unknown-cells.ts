import { withoutAccents } from '../values/month-names.ts';

/** What spreadsheets show in a cell whose value they cannot compute, in English. */
const english =
  '#REF! #N/A #NAME? #VALUE! #DIV/0! #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #EXTERNAL! #BUSY! #PYTHON! #UNKNOWN! #DATA! #TIMEOUT! #GETTING_DATA #ERROR! #MACRO? #ADDIN? #CYCLE! #CIRC!';

/** Translations of these, without the marks that Spanish puts before them. */
const translations = [
  // German
  '#BEZUG! #NV #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #BLOCKIERT! #VERBINDEN! #UNBEKANNT! #DATEN_ABRUFEN #FEHLER!',
  // French
  '#NOM? #VALEUR! #NOMBRE! #NUL! #PROPAGATION! #EPARS! #CALCUL! #CHAMP! #BLOQUÉ! #CONNEXION! #INCONNU! #CHARGEMENT_DONNEES #OBTENTION_DONNEES #ERREUR!',
  // Spanish
  '#NOMBRE? #VALOR! #N/D #NULO! #DESBORDAMIENTO! #CAMPO! #BLOQUEADO! #CONECTAR! #DESCONOCIDO! #OBTENIENDO_DATOS',
  // Japanese, Chinese and Korean
  '#スピル! #エラー! #溢出! #분산!',
  // Italian
  '#RIF! #NOME? #VALORE! #NULLO! #ESPANSIONE! #ESTRAZIONE_DATI_IN_CORSO #RECUPERO_DATI #ERRORE!',
  // Portuguese
  '#NÚM! #DESPEJAR! #OBTENDO_DADOS #ERRO!',
  // Dutch
  '#VERW! #NAAM? #WAARDE! #GETAL! #LEEG! #N/B #DEEL/0! #DELING.DOOR.0! #OVERLOOP! #OVERLOPEN! #BEREKENEN! #GEGEVENS_OPHALEN #GEGEVENS.OPHALEN #FOUT!',
  // Polish and Czech
  '#ADR! #NAZWA? #ARG! #LICZBA! #PUSTE! #N/D! #DZIEL/0! #ODKAZ! #NÁZEV? #HODNOTA! #ČÍSLO! #DĚLENÍ_NULOU! #NENÍ_K_DISPOZICI',
  // Russian
  '#ССЫЛКА! #ИМЯ? #ЗНАЧ! #ЧИСЛО! #ПУСТО! #Н/Д #ДЕЛ/0! #ПЕРЕНОС! #ВЫЧИСЛ! #ОЖИДАНИЕ_ДАННЫХ',
  // Swedish, Danish, Norwegian and Finnish
  '#REFERENS! #REFERENCE! #NAMN? #NAVN? #VÄRDEFEL! #VÆRDI! #VERDI! #OGILTIGT! #SAKNAS! #I/T #DIVISION/0! #VIITTAUS! #NIMI? #ARVO! #LUKU! #PUUTTUU! #JAKO/0!',
  // Hungarian and Turkish
  '#HIV! #NÉV? #ÉRTÉK! #SZÁM! #NULLA! #HIÁNYZIK #ZÉRÓOSZTÓ! #BAŞV! #AD? #DEĞER! #SAYI! #SAYI/0! #BOŞ! #YOK',
];

/** What online spreadsheets show until they have loaded a value, before three dots. */
const loading = [
  'Loading',
  'Wird geladen',
  'Lädt',
  'Chargement',
  'Chargement en cours',
  'Cargando',
  '読み込んでいます',
  '読み込み中',
  '読み込み中です',
  'Caricamento',
  'Caricamento in corso',
  'Carregando',
  'A carregar',
  'Laden',
  'Bezig met laden',
  'Wczytuję',
  'Ładowanie',
  'Wczytywanie',
  'Načítání',
  'Загрузка',
  'Läser in',
  'Indlæser',
  'Laster inn',
  'Ladataan',
  'Betöltés',
  'Yükleniyor',
  '正在加载',
  '加载中',
  '로드 중',
  '로딩 중',
];
/** A sentence that no one is called, also without dots. */
const loadingWithoutDots = ['読み込んでいます', '読み込み中', '読み込み中です'];

const maxLength = Math.max(...loading.map(({ length }) => length), 25);
const unknown = new Set(
  [
    ...[english, ...translations].flatMap((texts) => texts.split(' ')),
    ...loading.map((text) => `${text}...`),
    ...loadingWithoutDots,
  ].map(folded),
);
/** The numbered errors of LibreOffice, and the marks of a column that is too narrow for its values. */
const otherForms = /^(?:#?(?:err|erreur|erro|errore|error|fehler|fout|エラー):?\d{3}!?|#{3,})$/;

/** What each of them has, and few values. */
const sign = /[#＃…読]|\.\s*\.|[a-zー]\s*[:：]/i;

/** Whether a cell says that its value is not known: such a cell is neither a value nor empty. */
export function isUnknownCell(cell: string): boolean {
  const text = cell.trim();
  if (text.length > 2 * maxLength || !sign.test(text)) return false;
  const compared = folded(text);
  return unknown.has(compared) || otherForms.test(compared);
}

/** Without case, accents, blanks, invisible characters and the marks that Spanish puts before an exclamation. */
function folded(text: string): string {
  return withoutAccents(text.normalize('NFKC').toLowerCase()).replaceAll(/[\s\p{Cf}¡¿]/gu, '');
}
