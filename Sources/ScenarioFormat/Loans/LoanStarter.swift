/// The profile that `latchkey lend new` writes.
package enum LoanStarter {
    package static let text = """
        # What a program in a sandbox may use. Check it with: latchkey lend check FILE
        lend: site                      # the name that prompts and the log have
        sandbox:
          work: .                       # the folder that the program may change
          # read: [~/.gitconfig]        # files and folders that it may read
        services:
          api:
            item: work/api              # the name of the secret: latchkey set work/api --preset presence
            policy: presence            # lends nothing if the secret has another policy
            http: https://api.example.com   # first: latchkey lend allow work/api https://api.example.com
            as: bearer                  # or basic USER, or a field such as x-api-key
            allow:                      # everything else is refused
              - GET /v1/**
              - POST /v1/messages
            # What one approval counts for, if the policy allows reuse. 240 minutes are half a working day; a lock ends it sooner.
            lease: { uses: 20, minutes: 240 }
            set: { API_URL: url, API_TOKEN: placeholder }   # or the word anthropic or openai
          # shell: { item: ssh/work, ssh: alice@build.example }   # first: latchkey lend allow ssh/work ssh://alice@build.example
          # code:                       # a repository
          #   item: work/git
          #   git: https://github.com/alice/site.git
          #   allow: [fetch, push agent/*]
          #   lease: { uses: 20, minutes: 240 }
          # login:                      # one-time codes: latchkey lend allow web/shop codes
          #   item: web/shop
          #   otp: true
          #   lease: { uses: 20, minutes: 240 }
        claims:                         # latchkey lend check proves them
          - { never: use, after: lock, service: api }
          - { at-most-uses: 20, service: api }

        """
}
