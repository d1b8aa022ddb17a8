import type { LegalDocument } from '../../legal-document.ts';
import { TRANSLATION } from './translation.ts';

const document: LegalDocument = {
  title: 'Terms',
  description:
    'The terms for buying and using Prøveklar: price and payment, when the access starts, right of withdrawal, faults and complaints, and what we expect of you.',
  updated: 'Last updated 14 January 2025',
  changes: [
    'Changed 26 November 2026: codes for schools and employers.',
    'Changed 25 November 2026: that the payment page may show other ways to pay than by card, and that money goes back the same way.',
    'Changed 23 November 2026: when the days begin for those who have withdrawn from a purchase before.',
    'Changed 21 November 2026: who sells, when the access starts, the right of withdrawal, your rights when there are faults and delays, changes to the service, closing of accounts, and where you can complain.',
  ],
  note: TRANSLATION,
  intro:
    'These terms apply when you buy access to Prøveklar and when you use the service. The laws that protect consumers come first if the terms should say something else.',
  sections: [
    {
      id: 'partene',
      title: 'The parties',
      blocks: [
        'You buy from the seller who is named here. “We” means the seller. “You” are the one who buys or uses the service.',
        { seller: true },
        'If you are under 18 years old, a parent or guardian must agree to the purchase.',
      ],
    },
    {
      id: 'tjenesten',
      title: 'What you get',
      blocks: [
        'Prøveklar is an online service where you practise for the Norwegian social studies test (samfunnskunnskapsprøven) and the citizenship test (statsborgerprøven). You get access to quizzes and practice tests, results and history for as many days as it says by the payment button. You need a fairly new browser and access to the internet.',
        {
          list: [
            'The questions are made for practising. They are not the questions of the official test.',
            'The number of questions, the time and what it takes to pass in the practice test follow what is known about the official test. The authorities may change the test without our knowing at once.',
            'A good result here is no guarantee that you pass.',
            'We work to keep questions and answers right, but there may be faults. Please report them.',
            'Prøveklar is a private service. We are not affiliated with HK-dir, the municipalities, UDI or any other authority, and you cannot register for the test with us.',
          ],
        },
        'You can try some questions free of charge and without an account before you buy.',
      ],
    },
    {
      id: 'avtalen',
      title: 'When the agreement is made',
      blocks: [
        'Before you pay you see the price, the number of days and these terms. The agreement is made when the payment has gone through. You get a confirmation with a receipt by email. You also find the receipt under [Account](/quiz?tab=account).',
        'The agreement consists of what it said by the payment button when you paid, what you ticked, and these terms.',
      ],
    },
    {
      id: 'pris',
      title: 'Price',
      blocks: [
        'The price is by the button where you pay, in Norwegian kroner. It is the whole price. No fees or taxes are added. If the seller is registered for value added tax (VAT), it is included in the price, and the receipt shows how much it is.',
        'If we change the price or the number of days, that only applies to purchases after the change. When the service is free of charge, what it says here about use applies, but you do not buy anything.',
      ],
    },
    {
      id: 'betaling',
      title: 'Payment',
      blocks: [
        'You pay once, by card or in another way that the payment page shows. Stripe carries out the payment, and the bank may ask you to confirm it. The card number never comes to us. The amount is charged when you pay.',
        'There is no subscription and no minimum period. The access ends automatically. We never take money unless you pay again.',
      ],
    },
    {
      id: 'levering',
      title: 'When the access starts and ends',
      blocks: [
        'Before you pay, you tick that the access is to start at once. Then you can practise as soon as the payment has gone through, usually within seconds. A day is 24 hours, counted from when the access starts.',
        'If you have withdrawn from a purchase before, and pay without asking for your access to start at once, the days begin when the time to withdraw is over. We recognise the email address and the card. You see the date in your account and in the email about the payment.',
        'If you pay before your access is over, we add the new days to the old ones. If you are in the middle of a quiz when the access ends, you can finish it. Your results stay in the account, even when you have no access.',
        'Have you paid, but cannot get in? You find help on the page [Have you paid, but cannot get in?](/betalt)',
      ],
    },
    {
      id: 'forsinkelse',
      title: 'If the access does not come',
      blocks: [
        'If you do not get access when you should, you can demand that we give it to you at once. If we do not do so without undue delay, or within a time that we agree on, you can cancel the agreement and get all the money back. You may also have a right to compensation. The rules are in the Norwegian Digital Services Act for consumers (digitalytelsesloven).',
      ],
    },
    {
      id: 'angrerett',
      title: 'Right of withdrawal',
      blocks: [
        'You can withdraw from the purchase for 14 days from the day after you paid. You don’t need to give a reason. If the last day is a Saturday, a Sunday or a public holiday, you have until the next working day. The date is on the receipt.',
        'Because you asked for access at once, you pay for the whole days that you have had access. You get the rest back. An example: You paid NOK 150 for 30 days and withdraw after 10 days. Then you pay NOK 50 and get NOK 100 back. The access from the purchase ends at once.',
        'You withdraw yourself: Go to [Account](/quiz?tab=account), open the receipt and press “Withdraw from the purchase”. You can also send us the [withdrawal form](/angrerett) or an email in your own words. You get a confirmation by email. Read more about the [right of withdrawal](/angrerett).',
      ],
    },
    {
      id: 'koder',
      title: 'Codes for schools and employers',
      blocks: [
        'Schools and employers can buy codes, from 5 to 100 at a time, by card. Each code gives one person as many days as it says when you buy. A code can be used once, within 12 months after the purchase. The days begin when the code is used.',
        'The buyer can get the money back for codes that are not used, for 14 days from the day after the payment, on the page that the link in the email leads to. The codes stop working at once. If the buyer complains about the payment to the bank, unused codes do not work until the bank has decided the complaint. Those who have used a code keep their days.',
        'The buyer sees how many codes are used, and not who has used them. The codes must not be resold.',
        'If you have used a code, you have not paid us anything. The terms about use, faults and privacy apply to you too.',
      ],
    },
    {
      id: 'feil',
      title: 'Faults in the service',
      blocks: [
        'The service must be as we agreed, as you had reason to expect, and as it was when you tried it. If it is not, it is defective. Under digitalytelsesloven you can then, when the conditions in the law are met:',
        {
          list: [
            'demand that we put the fault right free of charge and within a reasonable time',
            'demand a reduction of the price if the fault is not put right',
            'cancel the agreement and get the money back if the fault is not minor',
            'demand compensation for losses',
          ],
        },
        'Write to us within a reasonable time after you discovered the fault, and say what happens. As long as you have access, it is we who must show that the service is in order.',
        'A fault in a question can be reported in the quiz. If we correct an answer, we also correct your result and tell you.',
      ],
    },
    {
      id: 'tilbakebetaling',
      title: 'Refunds',
      blocks: [
        'Money always goes back the same way as you paid, for example to the card, at the latest 14 days after you withdrew or cancelled. It can take some days before the bank shows it. If we refund a part of the amount, we take back an equal part of the days, rounded down to whole days.',
        'If you complain about the payment to your bank, we stop the days from that purchase until the bank has decided the complaint. If the bank does not agree with you, you get the days back.',
      ],
    },
    {
      id: 'bruk',
      title: 'How to use the service',
      blocks: [
        {
          list: [
            'The account is personal. Do not share the password or let others use the account.',
            'Use an email address that is your own. That is where the receipt and important messages go.',
            'Questions, explanations and other content are protected by copyright. You may use them to practise yourself, but not copy, sell or publish them.',
            'Do not extract content with automatic programs, and do not try to get around the security or disturb the service.',
            'Do not write about other people when you report a fault in a question.',
          ],
        },
      ],
    },
    {
      id: 'oppetid',
      title: 'When the service is down',
      blocks: [
        'We work to keep the service running at all times, but it may be down for maintenance or because of faults. The browser keeps answers that are not sent yet. If you cannot use the service for a longer time, write to us, and we will add days. That does not limit the rights that the law gives you.',
      ],
    },
    {
      id: 'endringer-i-tjenesten',
      title: 'Changes to the service',
      blocks: [
        'We may change the service when we have a good reason: new rules for the test, corrected questions, security, demands of the law, or new functions. It costs you nothing. If a change makes the service noticeably worse for you, we tell you by email in good time. Then you can end the agreement free of charge within 30 days and get money back for the days that are left.',
        'If we close the service down, we tell you by email and refund the days that are left.',
      ],
    },
    {
      id: 'avslutning',
      title: 'Deleting or closing the account',
      blocks: [
        'You can delete the account whenever you like, under [Account](/quiz?tab=account). Then you lose the days that are left. If you still have the right of withdrawal, withdraw from the purchase first.',
        'We may close an account if it is used for fraud, is shared with others, or if the terms are broken in another serious way. We tell you by email and say why. If the breach is less serious, you get a warning first. If you think that we are wrong, write to us. If we close an account without your having done anything wrong, you get money back for the days that are left.',
      ],
    },
    {
      id: 'personvern',
      title: 'Privacy',
      blocks: [
        'Which data we store and which rights you have is on the page about [privacy](/personvern). What the browser stores is on the page about [cookies](/cookies).',
      ],
    },
    {
      id: 'klage',
      title: 'Complaints and disagreement',
      blocks: [
        'Write to us first. We try to find a solution. If we do not agree:',
        {
          list: [
            '[Forbrukerrådet](https://www.forbrukerradet.no) (the Consumer Council) gives advice free of charge.',
            '[Forbrukertilsynet](https://www.forbrukertilsynet.no) (the Consumer Authority) can mediate between you and us free of charge. If that does not help, the case can often be taken to Forbrukerklageutvalget (the Consumer Disputes Commission).',
            'If you live in another country of the EU or the EEA, the consumer centre where you live can help you. See [Forbruker Europa](https://www.forbrukereuropa.no).',
          ],
        },
        'Norwegian law applies. If you live in another EEA country, you do not lose the protection that the law of your country gives you. Cases that are not solved go to the ordinary courts. You can bring a case where you live.',
      ],
    },
    {
      id: 'endringer',
      title: 'Changes to the terms',
      blocks: [
        'The terms that were here when you paid apply to your purchase. New terms apply to purchases after they were published. At the top of the page are the date and what is new.',
      ],
    },
  ],
};
export default document;
