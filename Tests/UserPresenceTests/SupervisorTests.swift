import Testing
import UserPresence
