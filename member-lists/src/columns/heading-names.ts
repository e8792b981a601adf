/** Names of a field, in the form of `headingKey`, in the languages of the dashboard. */
export interface HeadingNames {
  /** Nothing else is called so. */
  readonly exact: readonly string[];
  /** Headings that begin like this, or contain it, are similar: the content has to confirm them. */
  readonly similar: RegExp | null;
  /** Other things are called so too: only the content can tell. */
  readonly general: readonly string[];
}

/** The names of full names, first and last names alike. */
export const generalNames = names('name names nom noms nombre nombres 名前 お名前 なまえ');

/** The names of each field of a member in a list. */
export const headingNames = {
  email: {
    exact: names(
      'mail emailaddress mailaddress useremail memberemail email1value email1address email1',
      'primaryemail primaryemailaddress contactemail youremail youremailaddress emailadresse',
      'mailadresse epost elektronischepost deineemailadresse ihreemailadresse adresseemail',
      'adressemail adresseelectronique courriel adressecourriel votreemail correo correoelectronico',
      'direcciondecorreo direcciondecorreoelectronico tucorreo メール メールアドレス eメール eメールアドレス 電子メール',
      '電子メールアドレス',
    ),
    similar: /mail|courriel|correo|メール/,
    general: names('adresse address direccion アドレス login userlogin username kontakt contact contacto'),
  },
  displayName: {
    exact: names(
      'fullname membername nameofmember nameofthemember firstandlastname firstnamelastname yourname',
      'personname contactname customername subscribername yourfullname completename vorundnachname',
      'vornameundnachname vornamenachname vornamename namevorname nachnamevorname vollername',
      'vollstandigername ganzername mitgliedsname namedesmitglieds ihrname deinname anzeigename',
      'nomcomplet nometprenom prenometnom nomprenom prenomnom nomsetprenoms nomdumembre',
      'nomdeladherent votrenom nomaffiche nomdaffichage nombrecompleto nombreyapellidos',
      'nombreyapellido apellidosynombre nombredelsocio nombredelmiembro tunombre nombrevisible 氏名',
      '姓名 フルネーム 会員名 表示名 会員氏名',
    ),
    similar: null,
    general: generalNames,
  },
  firstName: {
    exact: names(
      'givenname forename fname firstnames givennames christianname vorname vornamen rufname prenom',
      'prenoms nombredepila primernombre 名 ファーストネーム 下の名前',
    ),
    similar: null,
    general: [],
  },
  lastName: {
    exact: names(
      'familyname surname surnames lname nachname nachnamen familienname zuname nomdefamille',
      'apellido apellidos primerapellido 姓 苗字 名字 名字姓 ラストネーム',
    ),
    similar: null,
    general: [],
  },
  paid: {
    exact: names(
      'paying ispaid haspaid payingmember payingcustomer paidmember feepaid feespaid duespaid',
      'membershippaid subscriptionpaid bezahlt beitragbezahlt beitraggezahlt gezahlt zahlend',
      'zahltbeitrag zahlendesmitglied mitgliedsbeitragbezahlt jahresbeitragbezahlt hatbezahlt paye',
      'payee payant apaye cotisationpayee cotisationreglee ajourdecotisation cotisationajour pagado',
      'pagada pagando depago cuotapagada hapagado alcorrientedepago cuotaaldia 有料 有料会員 支払済 支払済み',
      '支払い済み 会費納入 会費納入済 会費納入済み 納入済み',
    ),
    similar:
      /^(paid|paying|bezahlt|zahlend|paye|pagado|pagando|有料|beitrag(ge|be)?zahlt|cotisationpay|cuotapag)/,
    general: names(
      'fee fees dues membershipfee payment paymentstatus subscription beitrag mitgliedsbeitrag',
      'jahresbeitrag zahlung zahlungsstatus cotisation paiement statutdepaiement cuota pago',
      'estadodepago estadodelpago 会費 支払い 支払状況 納入状況 status type typ',
    ),
  },
  status: {
    exact: names(
      'memberstatus membershipstatus accountstatus subscriptionstatus mitgliedsstatus',
      'mitgliedstatus mitgliederstatus kontostatus statusdesmitglieds statut statutdumembre',
      'statutmembre statutdeladhesion estadodelsocio estadodelmiembro estadodemembresia estatus',
      'ステータス 会員ステータス 会員状態 状態 会員資格',
    ),
    similar: null,
    general: names('state estado etat zustand memberstate subscriptionstate active aktiv actif activo'),
  },
  groups: {
    exact: names(
      'group accessgroup accessgroups membergroup membergroups usergroup usergroups gruppe gruppen',
      'zugriffsgruppe zugriffsgruppen zugangsgruppe zugangsgruppen mitgliedergruppe',
      'mitgliedergruppen groupe groupes groupedacces groupesdacces grupo grupos grupodeacceso',
      'gruposdeacceso グループ アクセスグループ 所属グループ',
    ),
    similar: null,
    general: [],
  },
  groupsEndAt: {
    exact: names(
      'groupendsat groupsend groupends membershipendsat gruppenende endedergruppe endedergruppen',
      'findugroupe findesgroupes findelgrupo findelosgrupos グループの終了 グループの終了日',
    ),
    similar: null,
    general: names(
      'expires expiresat expireson expiry expirydate expirationdate validuntil validto',
      'membershipends membershipexpires memberuntil accessends accessuntil accessexpiration',
      'gultigbis mitgliedbis mitgliedschaftbis ablaufdatum lauftab lauftabam zugangbis expirele',
      'valablejusquau findadhesion dateexpiration datedexpiration membrejusquau caduca vence',
      'vencimiento fechadevencimiento fechadecaducidad validohasta miembrohasta 有効期限 会員期限 期限',
    ),
  },
  registeredAt: {
    exact: names(
      'registered joined joinedat joinedon joindate datejoined membersince registrationdate',
      'dateofregistration registeredon userregistered signupdate signedup signedupat signedupon',
      'subscribed subscribedat subscribedon subscriptiondate dateofentry entrydate dateofjoining',
      'mitgliedseit mitgliedab beigetreten beigetretenam beitritt beitrittsdatum beitrittam',
      'eintritt eintrittsdatum eintrittam eingetreten eingetretenam aufnahme aufnahmedatum',
      'registriert registriertam registrierung registrierungsdatum anmeldedatum angemeldetam',
      'membredepuis adherentdepuis inscrit inscrite inscritle inscription dateinscription',
      'datedinscription adhesion dateadhesion datedadhesion datedentree dateentree miembrodesde',
      'sociodesde inscripcion fechadeinscripcion fechadealta fechaalta alta fechaderegistro',
      'fechaingreso fechadeingreso registrado registro fechadeadhesion 登録日 登録日時 会員登録日 入会日 入会年月日',
      '入会日時 加入日',
    ),
    similar: null,
    general: names(
      'created createdat createdon creationdate datecreated dateadded addedat addedon added',
      'confirmtime optintime timestamp erstellt erstelltam erstelldatum angelegt angelegtam',
      'zeitstempel creele creeele datedecreation dateajout datedajout horodateur creado creadoel',
      'fechadecreacion marcatemporal 作成日 作成日時 追加日 タイムスタンプ',
    ),
  },
} satisfies Readonly<Record<string, HeadingNames>>;

function names(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
