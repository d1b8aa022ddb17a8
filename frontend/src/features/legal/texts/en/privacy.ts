// Over 400 lines: one legal document, which is read as a whole.

import type { LegalDocument } from '../../legal-document.ts';
import { TRANSLATION } from './translation.ts';

const document: LegalDocument = {
  title: 'Privacy',
  description:
    'Which data Prøveklar stores about you, why and for how long, who receives it, and how you can see, correct or delete it.',
  updated: 'Last updated 14 January 2025',
  changes: [
    'Changed 27 November 2026: when we send no email before we delete an account.',
    'Changed 26 November 2026: that you can agree to news by email, that we delete accounts that have not been used for two years, and send an email before we do, that payments are deleted when the accounts no longer have to be kept, and how long we remember the consent to reminders.',
    'Changed 26 November 2026: what we store about codes for schools and employers.',
    'Changed 24 November 2026: what we store when someone asks for a link to choose a password.',
    'Changed 23 November 2026: that we compute what you remember and how ready you are, and store your plan and how long a question is shown, that for two years we remember which email addresses and cards have withdrawn from a purchase, in a form that cannot be read, that you get an email when an administrator closes, opens or deletes your account, and that you can ask for reminders by email.',
    'Changed 22 November 2026: how long names stay in the log of what an administrator does, that we count in memory how many pages and calls come from an IP address, and that we store a shorter part of long IP addresses.',
    'Changed 21 November 2026: purpose, legal basis and time of storage for each kind of data, who receives it, how you download or delete it, and what we store about payments, receipts, withdrawals and the address that you pay from.',
  ],
  note: TRANSLATION,
  intro:
    'Here you can read which data Prøveklar stores about you, why we do it, how long we have it, and which rights you have.',
  sections: [
    {
      id: 'kort-fortalt',
      title: 'In short',
      blocks: [
        {
          list: [
            'We store your email address, a name if you want to give one, your practising and your purchases.',
            'We never store your password, and we never see your card number.',
            'We do not sell data about you, show no advertising and do not track you on other websites.',
            'The usage analytics is our own and uses no cookies.',
            'You can download what we have about you, and delete your account yourself.',
            'We do not tell others that you have an account with us.',
          ],
        },
      ],
    },
    {
      id: 'ansvarlig',
      title: 'Who is responsible?',
      blocks: [
        'The one who sells Prøveklar is the controller. That means that the seller decides why and how the data is used, and is responsible for it. If you have questions about privacy, write to this address:',
        { seller: true },
      ],
    },
    {
      id: 'opplysninger',
      title: 'What we store, why and for how long',
      blocks: [
        'The legal basis is a letter in article 6(1) of the General Data Protection Regulation (GDPR). The law says that we must have such a basis for everything that we store about you.',
        {
          facts: [
            {
              title: 'The account and signing in',
              rows: [
                [
                  'What',
                  'Your email address, the name or username that you give, your language, when you registered, when you last signed in, on which day you last used the account, whether you have shown that the email address is yours, when older sign-ins were ended, and how long you have access. The name need not be your own, and you can remove it. If you sign in with Google, the sign-in service gets your email address, your name and your profile picture from Google. Only the sign-in service keeps the password.',
                ],
                ['Why', 'So that you can sign in and get the access that you bought.'],
                ['Legal basis', 'The agreement with you (letter b).'],
                [
                  'How long',
                  'Until you delete the account, or until you have not used it for two years and have no days left. Then we delete it. We send you an email at least 30 days before, and if you sign in, the account stays. If you have never confirmed the email address or paid, we send no email, because the address may be someone else’s. After the deletion only an internal number, the language and the dates of registration and access are left, without name and email address. We need that so that the deleted account cannot be opened again. When you download your data or change your profile, we keep the time for a couple of hours, so that no one does it so often that the service becomes slow.',
                ],
              ],
            },
            {
              title: 'Your practising',
              rows: [
                [
                  'What',
                  'Which quizzes and tests you took, the questions that you got, your answers, what you marked, the results, the times, and how long a question was shown before you answered. Your plan: which test you practise for, its date and the goal for each day. From the answers we compute how well you remember each question, and how likely it is that you pass. If you say how the test went, it is stored without your account.',
                ],
                [
                  'Why',
                  'To show you the result, let you go on where you stopped, show which topics you should practise more, and choose the questions of today’s practice. Support sees how well you remember, and how ready you are, only if you have allowed it.',
                ],
                ['Legal basis', 'The agreement with you (letter b).'],
                ['How long', 'Until you delete the account.'],
              ],
            },
            {
              title: 'Faults that you report in a question',
              rows: [
                ['What', 'Which question it is about, the reason and the comment that you write.'],
                ['Why', 'To correct faults in the questions.'],
                ['Legal basis', 'Our interest in having correct questions (letter f).'],
                ['How long', 'Until you delete the account.'],
              ],
            },
            {
              title: 'Purchases and receipts',
              rows: [
                [
                  'What',
                  'Amount, time, number of days, receipt, which text you agreed to before you paid and when, refunds, complaints to the bank, cards that were declined (without card number), and Stripe’s number of the payment.',
                ],
                [
                  'Why',
                  'To give you what you paid for, keep accounts, and be able to show what was agreed.',
                ],
                [
                  'Legal basis',
                  'The agreement with you (letter b) and the Norwegian Bookkeeping Act, bokføringsloven (letter c).',
                ],
                [
                  'How long',
                  'The Bookkeeping Act demands that we keep the accounts for five years after the end of the year. If you delete the account, the payments stay without your name and email address. When the five years are over, we delete the payments and the receipts.',
                ],
              ],
            },
            {
              title: 'Codes for schools and employers',
              rows: [
                [
                  'What',
                  'About the buyer: the name of the school or employer, the organisation number, the email address to which the codes are sent, and the purchase. About you who use a code: that your days come from that code, and when you used it. If you register with a code and do not complete it, we store your email address for a day.',
                ],
                [
                  'Why',
                  'To give the days to the person who has the code, once. The buyer of the codes only sees how many are used. They never see who has used them, nor how you answer.',
                ],
                ['Legal basis', 'The agreement (letter b) and the Bookkeeping Act (letter c).'],
                [
                  'How long',
                  'The purchase is kept for five years after the end of the year, like other purchases, even if the buyer deletes an account with the same address. If nothing is paid, we remove name and address after 30 days. We store the codes only in a form that cannot be read once the buyer has kept them, at the latest after 14 days.',
                ],
              ],
            },
            {
              title: 'Purchases that were withdrawn from',
              rows: [
                [
                  'What',
                  'A fingerprint (hash) computed from the email address, and one computed from Stripe’s mark of the card, and when the withdrawal was. The fingerprints are made with a secret key. Without it, it is not possible to find out whom they concern.',
                ],
                [
                  'Why',
                  'So that the service is not used for free again and again by withdrawing. If a person pays again without asking for access at once, the days begin when the time to withdraw is over.',
                ],
                ['Legal basis', 'Our interest in preventing misuse (letter f).'],
                [
                  'How long',
                  'Two years. The fingerprints are not deleted together with the account. The file that you download says whether we remember your address. We cannot find the fingerprint of a card again without a payment by that card.',
                ],
              ],
            },
            {
              title: 'Registrations that were not completed',
              rows: [
                ['What', 'The email address and the username that you typed.'],
                [
                  'Why',
                  'So that you can complete it, and so that we find the payment if something went wrong.',
                ],
                ['Legal basis', 'You asked to make an agreement (letter b).'],
                [
                  'How long',
                  'If nothing is paid, we stop the payment after a day and remove the name and the address 30 days later. When the service is free, the attempt is deleted after a day.',
                ],
              ],
            },
            {
              title: 'Your IP address',
              rows: [
                [
                  'What',
                  'The address that you use when you begin a payment, register free of charge, ask for a link to choose a password, or ask us to search for a payment. Of long addresses (IPv6) we store less than the first half. In memory, and not in the database, we also count for one minute how many pages and calls come from an address.',
                ],
                [
                  'Why',
                  'To keep anybody from trying out stolen cards, creating many accounts, sending email in the name of others or making the service slow for others.',
                ],
                ['Legal basis', 'Our interest in preventing fraud (letter f).'],
                ['How long', 'About a day.'],
              ],
            },
            {
              title: 'Links to choose a password',
              rows: [
                [
                  'What',
                  'The email address and your language when someone asks for a link, when it was sent, and whether it has been used. We do not store the link itself, only a fingerprint (hash) that is computed from it.',
                ],
                ['Why', 'So that you can choose a new password, and nobody else can.'],
                ['Legal basis', 'The agreement with you (letter b).'],
                [
                  'How long',
                  'About a day. If we sent the link without you asking for it, it may be four days.',
                ],
              ],
            },
            {
              title: 'When you ask us to search for a payment',
              rows: [
                ['What', 'The email address that you type, and your language.'],
                ['Why', 'To find the payment and answer you by email.'],
                ['Legal basis', 'Our interest in helping you (letter f).'],
                [
                  'How long',
                  'The search for about a day, and that the answer was sent for two days.',
                ],
              ],
            },
            {
              title: 'Email from us',
              rows: [
                [
                  'What',
                  'That we sent you an email, what it was about, when it was sent, and whether it was refused. Not what is in it.',
                ],
                [
                  'Why',
                  'To send you receipts and other things about your purchase, your account and your results, and only once. It may also be something that all with an account must know, such as downtime. We send no advertising unless you have agreed to news.',
                ],
                ['Legal basis', 'The agreement with you (letter b).'],
                [
                  'How long',
                  'Until you delete the account. After that the list has no connection to your address. When the account is deleted, we use the address to send you a confirmation, and then forget it. That takes some days at most.',
                ],
              ],
            },
            {
              title: 'Reminders by email',
              rows: [
                [
                  'What',
                  'That you said yes to reminders, which text you said yes to and when, when you turned them off, when you last got one, and how many you have got in a row without practising afterwards.',
                ],
                [
                  'Why',
                  'To remind you of today’s practice, once a day at most, on days when you have not reached your goal. We stop after seven in a row, and if your address refuses email.',
                ],
                [
                  'Legal basis',
                  'Your consent (letter a). You can take it back at any time, in your plan or with the link in each reminder. You do not need to sign in for that.',
                ],
                [
                  'How long',
                  'Until you delete the account. If you turn reminders off, we forget after two years that you once agreed.',
                ],
              ],
            },
            {
              title: 'News by email',
              rows: [
                [
                  'What',
                  'That you agreed to news, to which text and when, when you took it back, and which messages you got.',
                ],
                [
                  'Why',
                  'To send you news, one email a week at most, and to be able to show that you agreed.',
                ],
                [
                  'Legal basis',
                  'Your consent (letter a). You can take it back at any time, under Account or with the link in each email. You do not need to sign in for that.',
                ],
                [
                  'How long',
                  'Until you delete the account. If you say no to news, we forget after two years that you once agreed.',
                ],
              ],
            },
            {
              title: 'When you write to us',
              rows: [
                ['What', 'Your email and our answers.'],
                ['Why', 'To help you.'],
                [
                  'Legal basis',
                  'The agreement with you (letter b) or our interest in answering (letter f).',
                ],
                [
                  'How long',
                  'Until the matter is finished, and as long as it may matter for a claim of yours or ours.',
                ],
              ],
            },
            {
              title: 'What an administrator does',
              rows: [
                [
                  'What',
                  'If an administrator closes, opens or deletes your account, gives you days or sends you a link for a password, we store that together with your email address. If the administrator writes why, we store that too. You get an email when the account is closed, opened or deleted, if you have shown that the address is yours, or have paid.',
                ],
                ['Why', 'To be able to show who did what, and to discover misuse.'],
                ['Legal basis', 'Our interest in security and control (letter f).'],
                [
                  'How long',
                  'Two years. Then we remove your email address, the reason, and who did it. You can ask us to delete your address earlier.',
                ],
              ],
            },
            {
              title: 'Technical logs',
              rows: [
                [
                  'What',
                  'Which calls the service got, when, and whether something went wrong. Our logs have neither your IP address nor your email address nor your password. Events inside the service only have internal numbers.',
                ],
                ['Why', 'To find faults and keep the service safe.'],
                ['Legal basis', 'Our interest in a service that works (letter f).'],
                [
                  'How long',
                  'The logs are overwritten after a while. Internal events are deleted after about 30 days.',
                ],
              ],
            },
          ],
        },
        'Data may be in backups for a while after it was deleted. The backups are only used if something has to be restored.',
      ],
    },
    {
      id: 'bruksstatistikk',
      title: 'Usage analytics',
      blocks: [
        'We have a usage-analytics service of our own. It uses no cookies, and we use no such service of others.',
        {
          list: [
            'For each question we count how often it was used, how many answered right, which answers were chosen, and how many reported a fault.',
            'We count how many users have an account, and how many have practised.',
          ],
        },
        'The legal basis is our interest in making the questions better (letter f). The figures are sums without names. That is why they stay when you delete the account. You can object to your answers being counted.',
      ],
    },
    {
      id: 'uten-konto',
      title: 'When you are not signed in',
      blocks: [
        'You can read our pages without our storing who you are. If you try the free sample, your answers are not stored with us. They are in your browser until you close the tab. What else the browser remembers is on the page about [cookies](/cookies).',
      ],
    },
    {
      id: 'ma-du',
      title: 'Do you have to give us the data?',
      blocks: [
        'You have to give an email address to have an account. Without it we cannot give you access or send a receipt. A name is optional: the username that you register with can be anything you like.',
      ],
    },
    {
      id: 'mottakere',
      title: 'Who receives the data?',
      blocks: [
        'We only share what is needed. Those who process data for us (processors) cannot use it for purposes of their own.',
        {
          list: [
            'Signing in: Google, through Firebase Authentication (Google Cloud Identity). They have your email address, your name, your password in a form that cannot be read, and when and from which address you signed in. Google is our processor. If you choose to sign in with your Google account, [Google’s own rules](https://policies.google.com/privacy) apply too.',
            'Payment: Stripe gets the card data directly from you, and the amount, your name and your email address from us. Stripe is a processor when the payment is carried out, and a controller itself for, among other things, preventing fraud and following the laws that bind it. Read [Stripe’s privacy policy](https://stripe.com/privacy).',
            'Email: the provider that sends our email gets your address and what is in the email. It is a processor.',
            'Hosting: the provider of servers, database and backups. It is a processor and may have security logs of its own with IP addresses.',
            'Your bank and card company, if you complain about a payment to them.',
            'Reading aloud: the voice belongs to your browser. Some browsers send the text that is to be read to whoever made the voice. We do not send along who you are.',
            'Accountant, auditor and authorities, when the law demands it.',
          ],
        },
        'We never sell data about you.',
      ],
    },
    {
      id: 'utenfor-eos',
      title: 'Data outside the EEA',
      blocks: [
        'Google and Stripe are international companies. Data may therefore be processed outside the EEA, among other places in the USA. That is only allowed when the data is just as well protected there. Either the receiver must take part in the EU–US Data Privacy Framework, or the European Commission’s standard contractual clauses must be agreed on. Write to us if you want to know what applies to a receiver, or want a copy of the agreement.',
      ],
    },
    {
      id: 'sikkerhet',
      title: 'How we take care of the data',
      blocks: [
        {
          list: [
            'You only see your own quizzes, receipts and results.',
            'Passwords and card numbers never come into our database.',
            'Only administrators with a sign-in of their own can see users and payments. What they change is stored in a log.',
            'The service answers the same whether an address has an account or not, so nobody can find out whether you practise here.',
          ],
        },
        'If there is a breach that may harm you all the same, we tell you and the Norwegian Data Protection Authority (Datatilsynet) as the law demands.',
      ],
    },
    {
      id: 'automatisk',
      title: 'What happens automatically',
      blocks: [
        'Your result is computed automatically. It only concerns your practising here. From your answers we also compute what you remember, and how likely it is that you pass, but nothing is decided by it. It is in the file that you can download, and is deleted with the account. If several cards are declined one after the other, the service stops new payments for a while. If the email address or the card was used for a purchase that was withdrawn from, and you do not ask for your access to start at once, the days begin when the time to withdraw is over. We make no automatic decisions that have legal effect for you, and make no profile of you for advertising.',
      ],
    },
    {
      id: 'rettigheter',
      title: 'Your rights',
      blocks: [
        'The General Data Protection Regulation (GDPR) gives you these rights. It costs nothing to use them.',
        {
          facts: [
            {
              title: 'How to use them',
              rows: [
                [
                  'Access',
                  'You can see what we have about you. Go to [Account](/quiz?tab=account), “Your data”, and download it.',
                ],
                [
                  'Moving (portability)',
                  'The file that you download can be read by other programs (JSON). You can take it wherever you like.',
                ],
                [
                  'Rectification',
                  'You can change name, email address, password and language under [Account](/quiz?tab=account). If you sign in with Google, you change address and password there. If something else is wrong, write to us.',
                ],
                [
                  'Erasure',
                  'Go to [Account](/quiz?tab=account) and press “Delete the account”. Your practising and your sign-in are deleted at once. If the account is closed, write to us.',
                ],
                [
                  'Restriction',
                  'You can ask us not to use data while we look into whether it is right, or whether we are allowed to use it.',
                ],
                [
                  'Objection',
                  'If we use data because we have an interest in it (letter f), you can say no. Then we stop, unless we have a good reason that the law accepts.',
                ],
                [
                  'Complaint',
                  'You can complain to [Datatilsynet](https://www.datatilsynet.no), the Norwegian Data Protection Authority. Please tell us first, and we will put it right if we can.',
                ],
              ],
            },
          ],
        },
        'If you write to us, we answer within one month at the latest. Write from the address that you are registered with, so that we know it is you. Only the reminders and the news by email rely on consent, and you can always take it back.',
      ],
    },
    {
      id: 'alder',
      title: 'Children and young people',
      blocks: [
        'Prøveklar is made for adults and for young people who are going to take the test. We do not ask how old you are. If you are under 18 years old, a parent or guardian should be there when you create an account. If a child has created an account without the guardians knowing, they can write to us, and we will delete it.',
      ],
    },
    {
      id: 'endringer',
      title: 'Changes to this text',
      blocks: [
        'When we change something, we write the date and what is new at the top of the page. If the change is important for you who have an account, we tell you by email or when you sign in, before it applies.',
      ],
    },
  ],
};
export default document;
